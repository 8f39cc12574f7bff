"""What a builder sends back: one file with what a box measures, and nobody's name in it."""
