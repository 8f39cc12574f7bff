"""The commands of people: `companion people`."""
