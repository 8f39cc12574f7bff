"""The Pi's boot files, as the settings need them."""
