"""The desk of an event as a pure machine: what boxes say and the organiser does, in; log, lines and messages, out."""
