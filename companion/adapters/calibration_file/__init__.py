"""Keeps the trials of a calibration that was cut off in `calibration.json` of the state directory."""

from companion.adapters.calibration_file.file import FILE_NAME, CalibrationFile

__all__ = ["FILE_NAME", "CalibrationFile"]
