"""Build what every emulated pod needs, before a test asks for it:   python -m tests.emulator"""

from __future__ import annotations

import sys

from tests.emulator.pods import make_all
from tests.emulator.sources import EmulatorError


def main() -> int:
    """Build it, or say in plain words why it cannot be built."""
    try:
        folder = make_all()
    except EmulatorError as error:
        print(f"emulator: {error}", file=sys.stderr)
        return 1
    print(f"emulator: the pods' program and boot ROM are in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
