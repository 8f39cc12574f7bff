"""The card to flash: an SD card image with the box on it, built from packages. Knows nothing of the program in them."""
