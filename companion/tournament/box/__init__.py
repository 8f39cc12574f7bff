"""A box's side of an event: a pure state machine between its journal and the desk's messages."""
