"""What the box drives by pins: the buzzer, and the wire that a certificate is measured by."""
