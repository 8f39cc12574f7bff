"""An event in one file: every sealed record, the event's log and the keys, as a zip archive."""
