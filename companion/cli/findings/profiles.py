"""What `companion doctor` says of people's profiles: how many, and which a box leaves out. It changes none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.profiles_folder import FOLDER
from companion.cli.findings.finding import Finding, Health
from companion.core.calibration.measured import why_damaged
from companion.core.errors import CompanionError
from companion.core.profiles.exchange import LARGEST_TOLD, NewerVersion, from_file, name_in
from companion.files.aside import MARK
from companion.files.reading import read_start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUBJECT = "profiles"
INSTALL = "install the newer version of the program; nothing of it is lost until then"
BRING = "bring it again from another box or from its file: companion profiles; its person plays without it meanwhile"
MEASURE = "measure the allowance again: companion calibrate"


def check_profiles(state: Path) -> Iterator[Finding]:
    """Give what is found of the profiles in a state directory."""
    folder, well = state / FOLDER, 0
    try:
        paths = sorted(folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        yield Finding(Health.FAULT, SUBJECT, f"{folder} cannot be read: {error.strerror}", "sudo companion doctor")
        return
    for path in paths:
        if path.suffix != ".json" or path.name.startswith("."):
            continue
        if MARK in path.name:
            yield Finding(Health.WARNING, SUBJECT, f"{path.name} was damaged and set aside", BRING)
        elif (finding := _finding(path)) is None:
            well += 1
        else:
            yield finding
    yield Finding(Health.OK, SUBJECT, f"{well} in order")


def _finding(path: Path) -> Finding | None:
    """Say what is wrong with a profile, None for nothing."""
    content = b""
    try:
        content = read_start(path, LARGEST_TOLD + 1)
        profile = from_file(content)
    except NewerVersion:
        who = name_in(content) or "somebody"
        return Finding(Health.WARNING, SUBJECT, f"{who}'s was written by a newer version of this program", INSTALL)
    except CompanionError as error:
        return Finding(Health.FAULT, SUBJECT, f"{path.name} is damaged: {error}", BRING)
    if why := why_damaged(profile.allowance):
        return Finding(Health.WARNING, SUBJECT, f"{profile.name}'s allowance: {why}", MEASURE)
    return None
