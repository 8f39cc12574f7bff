"""`companion encrypt`."""
