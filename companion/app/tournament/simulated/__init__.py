"""A whole tournament without hardware: boxes with real journals, keys and broker, players of known strength."""
