"""What hands do at the box: gestures of the knob, what can be picked of an offer, scans of switches. Knows no menu."""
