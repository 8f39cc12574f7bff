"""`companion inputs`: what input devices there are, what they are used for, and how long they take."""
