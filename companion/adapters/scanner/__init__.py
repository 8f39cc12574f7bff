"""Card readers at a serial port."""
