"""Threads that do not end unnoticed: a floor of its own, below adapters and app. Knows nothing of what runs in them."""
