"""Reading along: the command that follows a match as plain lines."""
