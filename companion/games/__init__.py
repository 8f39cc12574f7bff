"""One package a game, found by its entry point in the group `companion.games`."""
