"""Runs the program `companion`; with PROFILE=FILE what its main thread does is kept there as a profile, once it ends."""

from __future__ import annotations

import os
import signal
import sys

from companion.cli.main import main


def _run() -> object:
    path = os.environ.get("PROFILE")
    if not path:
        return main()
    import cProfile

    profile = cProfile.Profile()
    signal.signal(signal.SIGUSR1, lambda *_: (profile.disable(), profile.dump_stats(path)))
    profile.enable()
    return main()


if __name__ == "__main__":
    sys.exit(_run())
