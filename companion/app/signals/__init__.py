"""Sound, lamps and motors: when the buzzer is to be heard, and the thread that switches lamps and motors."""
