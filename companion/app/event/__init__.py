"""A box at an event: a thread of its own between the journal and the desk, and what it asks of the box's loop."""
