"""Keeps people's profiles in `profiles/` of a box's state directory."""

from companion.adapters.profiles_folder.folder import FOLDER, MOST_PROFILES, ProfilesFolder

__all__ = ["FOLDER", "MOST_PROFILES", "ProfilesFolder"]
