"""Keeps accepted presses in a file until they are in a record."""

from companion.adapters.intake_file.intake import IntakeFile, passed_by_devices

__all__ = ["IntakeFile", "passed_by_devices"]
