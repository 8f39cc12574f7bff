"""How the box is installed: the Debian package, its service, and what is in it."""
