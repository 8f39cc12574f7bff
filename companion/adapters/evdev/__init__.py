"""Linux input devices: USB and Bluetooth switches, foot pedals, game pads, keyboards, scanners that type."""
