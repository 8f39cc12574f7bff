"""`companion files`: files that games ask for."""
