"""The errors of this package. Each is also the builtin it is a kind of.

*Malformed* (bytes, a file, a setting: it cannot be read) is not *illegal* (it can be read, and the rules forbid it).
*Too close to call* is a ruling, not an error.
"""


class CompanionError(Exception):
    """Root of every error this package raises on purpose; its text is meant for a person."""


class Malformed(CompanionError, ValueError):
    """Something that came from outside cannot be read: which field, and what would be right."""


class Illegal(CompanionError, ValueError):
    """Well formed, and against the rules at this moment: which rule."""


class UnknownGame(CompanionError, LookupError):
    """No installed package gives a game of this name."""


class Unavailable(CompanionError, OSError):
    """A device, line, file or permission that is needed is not there: which one, and how to mend it."""


class UnknownMatch(CompanionError, LookupError):
    """The journal has no match of this number."""


class UnknownFile(CompanionError, LookupError):
    """No game asks for such a file, or none of this name is kept."""
