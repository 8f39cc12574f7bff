"""What this box's certificate gives to its sources, and what one is made with."""
