"""What others put on the card to flash."""
