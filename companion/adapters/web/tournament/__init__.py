"""The pages of a tournament's desk, served as the box's are: same gate, same look, same limits; another content."""
