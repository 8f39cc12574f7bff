"""What an examination of the box finds, as `companion doctor` prints it."""
