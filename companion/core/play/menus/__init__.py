"""What is done at the box with knob and buttons: its gestures, the seating, the menus of a match, choices."""
