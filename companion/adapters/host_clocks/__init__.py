"""The machine's own clocks, read at once."""
