"""The event's log: what a line of it says, and the chain of hashes that ties each line to those before it."""
