"""What decides: instants, presses, the record and the course of a match. No I/O, no clock, no thread, no chance."""
