"""Ratings of players from event to event, in a file of the desk's; nothing that is verified rests on them."""
