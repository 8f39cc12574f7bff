"""Points of tables, and the standings of an event with how each number of them came about."""
