"""Keeps the files that people write for games, in the folder `files` of the box's state directory."""

from companion.adapters.game_files.folder import FOLDER, MOST_BYTES, MOST_FILES, FileFolder

__all__ = ["FOLDER", "MOST_BYTES", "MOST_FILES", "FileFolder"]
