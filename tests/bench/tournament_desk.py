"""Runs the program `companion`; with PROFILE=FILE its main thread is profiled between two SIGUSR1, into that file."""

from __future__ import annotations

import cProfile
import os
import signal
import time

from companion.cli.main import main


def _run() -> None:
    path = os.environ.get("PROFILE")
    if path:
        profile = cProfile.Profile(time.thread_time)

        def turn(*_: object) -> None:
            if turns:
                profile.disable()
                profile.dump_stats(path)
            else:
                profile.enable()
            turns.append(None)

        turns: list[None] = []
        signal.signal(signal.SIGUSR1, turn)
    main()


if __name__ == "__main__":
    _run()
