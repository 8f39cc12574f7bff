"""The text stream as a part of the box: what it tells, in whose language."""
