"""The command line: `main`, and a module a command."""
