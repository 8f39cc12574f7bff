"""What there is to show, as plain values. Knows no display."""
