"""What a stranger looks at to see whether a record is as the box wrote it, beside judging it again."""
