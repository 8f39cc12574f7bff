"""What is said of a session: by the box's voice, by pages read aloud, and to screen readers. One narrator for all."""
