"""Writes the report that a builder sends back, says what is in one, and makes a row of the table of one."""
