"""Who sits where in a round, as a pure function of what was before and of the seed."""
