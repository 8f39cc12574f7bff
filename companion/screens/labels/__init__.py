"""Labels for cards: symbols that scanners read, on sheets that are sold for it. Knows no game and no deck."""
