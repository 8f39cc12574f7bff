"""The table companion: a referee box for games played with real cards."""
