"""Single bits changed in a journal's files: whatever bit it is, the box starts, records, and loses nothing else."""
