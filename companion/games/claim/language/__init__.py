"""The language of a game file: patterns, and reading a file with the number of the line of every fault. Pure."""
