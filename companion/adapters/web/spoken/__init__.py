"""Which language a browser is answered in, and what it is sent for that."""
