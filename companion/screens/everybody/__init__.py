"""What everybody may see of a session, whatever shows or says it: plain values in which nothing else has a place."""
