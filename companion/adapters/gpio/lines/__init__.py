"""What the panel's lines are at, and what their edges say: of buttons, and of the knob. Knows no library. Pure."""
