"""The box's voice and the earphones of seats, put together and run: the narrator's sentences on their way to a card."""
