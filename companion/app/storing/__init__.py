"""What the box keeps beside its journal, and how that comes into the record. Part of `app`."""
