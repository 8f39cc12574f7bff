"""What an event's people do at its desk: each act with what it needs, and how it is done. Pure."""
