"""Files of this machine, written and read with care. Above it: whatever keeps a file. It knows no format."""
