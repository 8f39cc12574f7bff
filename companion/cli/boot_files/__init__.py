"""Sets up what a Raspberry Pi reads before there is a system."""
