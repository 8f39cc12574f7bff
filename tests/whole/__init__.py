"""Whole matches of any game, from the seating to the final display: at the box, on phones, and in any mixture."""
