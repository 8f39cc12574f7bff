"""The desk of an event as a pure machine: what boxes say and the organiser does, in; log, stored lines and messages, out."""
