"""A box's certificate on disk, and which board and kernel this is."""
