"""What each seat is told by light, touch and tone: signs, their rhythms, and what lamps and motors do at an instant."""
