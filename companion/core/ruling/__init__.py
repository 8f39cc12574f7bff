"""What a game is, what is ruled on a line, and judging a record again. Pure."""
