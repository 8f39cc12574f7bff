"""What happens at the table as plain lines, for whoever reads by a braille line or a screen reader in a terminal."""
