"""The seeds that the box draws from, each in a small file until its match is over."""
