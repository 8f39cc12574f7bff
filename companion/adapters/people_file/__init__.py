"""Keeps the list of players and the links of a box in `people.json` of its state directory."""

from companion.adapters.people_file.file import FILE_NAME, PeopleFile

__all__ = ["FILE_NAME", "PeopleFile"]
