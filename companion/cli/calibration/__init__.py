"""`companion calibrate`."""
