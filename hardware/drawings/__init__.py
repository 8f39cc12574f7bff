"""Makes what a builder needs from the pin map and one geometry: `python -m hardware.drawings`. Knows no program."""
