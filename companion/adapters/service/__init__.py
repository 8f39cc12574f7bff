"""The service manager, and the file that says how the box is."""
