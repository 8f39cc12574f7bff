"""Time of a press: what sources deliver becomes accepted presses in the order of time. Knows no game."""
