"""State to what a display shows: lines, pictures. Pure; knows no device."""
