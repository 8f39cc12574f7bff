"""What somebody needs to build the box; not part of the installed program."""
