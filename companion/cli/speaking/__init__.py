"""The box's voice at the command line: to hear it, and to list voices."""
