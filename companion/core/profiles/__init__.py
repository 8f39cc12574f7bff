"""What belongs to a person and goes with them: how they play, what they need, and what was measured. Pure."""
