"""Keeps accepted presses in a file until they are in a record."""

from companion.adapters.intake_file.intake import IntakeFile

__all__ = ["IntakeFile"]
