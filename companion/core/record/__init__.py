"""The match record: its lines, and what is wrong with one that cannot be read. Knows no game."""
