"""The installed box on a booted Debian: see README.md."""
