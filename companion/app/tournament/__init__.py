"""The desk of a tournament: many boxes, one desk."""
