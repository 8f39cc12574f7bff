"""Writes down what the box says is stored, as soon as it says so, where it outlives the machine.

watch_status.py STATUS_FILE LOG: a line "MATCH DURABLE LINES RACE PHASE" whenever it changes; LOG lies on the host.
"""

import json
import os
import sys
import time


def main(status_file: str, log: str) -> None:
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    stamp, told = 0, ""
    while True:
        time.sleep(0.02)
        try:
            now = os.stat(status_file).st_mtime_ns  # noqa: PTH116 - as few imports as can be
            if now == stamp:
                continue
            stamp = now
            with open(status_file, encoding="utf-8") as file:  # noqa: PTH123
                match = json.load(file).get("match")
        except (OSError, ValueError):
            continue
        if match is None or match["number"] is None:
            continue
        line = f"{match['number']} {match['durable']} {match['lines']} {match['race']} {match['phase']}\n"
        if line != told:
            told = line
            os.write(out, line.encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
