"""What this box states of how it takes times: by its certificate, and in the conditions of a record."""
