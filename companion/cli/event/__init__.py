"""`companion event`: how a box takes part in an event of many boxes."""
