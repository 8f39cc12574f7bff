"""By what a stranger checks a match: a module a command."""
