"""The command of ratings: `companion ratings`."""
