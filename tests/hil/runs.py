"""Where the logs and disks of a run stay."""

import contextlib
import shutil
from pathlib import Path


def new_run(runs: Path, kept: int) -> Path:
    """A fresh folder in `runs`, numbered on; of the older ones the newest stay, so that there are `kept` in all.

    Two that begin at once get a folder each.
    """
    runs.mkdir(parents=True, exist_ok=True)
    numbers = sorted(int(folder.name) for folder in runs.iterdir() if folder.name.isdigit())
    for number in numbers[: -(kept - 1)]:
        shutil.rmtree(runs / str(number), ignore_errors=True)
    number = numbers[-1] + 1 if numbers else 1
    while True:
        with contextlib.suppress(FileExistsError):
            folder = runs / str(number)
            folder.mkdir()
            return folder
        number += 1
