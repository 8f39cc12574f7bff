"""A whole event worked out again from its log and its records: what holds, what does not, and what nobody can tell."""
