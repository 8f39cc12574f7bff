"""Asks what is known against the locked libraries (`make audit`), by pip-audit and the OSV database.

Three ends, never mixed up: nothing is known (0), something is (1, with its names), and the database could not be asked,
which is said in one line and passes, as no change of ours can be blamed for it; with `--must` it fails (3). Anything
else that goes wrong is an error of this program or of a lock (2).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from systemd.supply.lock import LOCKS, LockError, read

CLEAN, FOUND, BROKEN, UNASKED = 0, 1, 2, 3
OSV = "https://api.osv.dev/v1/query"
TIMEOUT_S = 15
"""For one answer of the database."""
WHOLE_S = 240
"""For all of them: some hundred and fifty."""
NO_ANSWER = ("requests.exceptions.", "ConnectionError", "ServiceError", "Could not connect", "urllib3.exceptions.")
"""What pip-audit's last line has where the database did not answer, or with something else than an answer."""


class NoAnswerError(Exception):
    """The database could not be asked; its text says why."""


class AuditError(Exception):
    """pip-audit itself failed; its text is what it said."""


def pins(locks: list[Path]) -> list[str]:
    """Give every package and version of some locks, each once, as pip-audit reads them. Raises LockError."""
    return sorted({entry.pin() for path in locks for entry in read(path)})


def ask(wanted: list[str], osv: str) -> list[dict[str, Any]]:
    """Give pip-audit's answer for each package. Raises NoAnswerError, AuditError."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pins.txt"
        file.write_text("".join(f"{pin}\n" for pin in wanted), encoding="utf-8")
        command = [
            str(Path(sys.executable).with_name("pip-audit")),
            "--disable-pip",
            "--require-hashes",
            "-r",
            str(file),
        ]
        command += ["--vulnerability-service", "osv", "--osv-url", osv, "--timeout", str(TIMEOUT_S)]
        command += ["--format", "json", "--progress-spinner", "off", "--cache-dir", folder]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=WHOLE_S)  # noqa: S603
        except subprocess.TimeoutExpired as late:
            raise NoAnswerError(f"not done after {WHOLE_S} s") from late
    return answer(done.stdout, done.stderr)


def answer(out: str, err: str) -> list[dict[str, Any]]:
    """Read what pip-audit printed. Raises NoAnswerError, AuditError."""
    try:
        listed: list[dict[str, Any]] = json.loads(out)["dependencies"]
    except (ValueError, KeyError, TypeError):
        last = (err.strip().splitlines() or ["it said nothing"])[-1]
        raise (NoAnswerError if any(word in last for word in NO_ANSWER) else AuditError)(last[:120]) from None
    if skipped := [each["name"] for each in listed if "skip_reason" in each]:
        raise NoAnswerError(f"nothing is said of {', '.join(skipped[:5])}{' and others' * (len(skipped) > 5)}")
    return listed


def findings(listed: list[dict[str, Any]]) -> list[str]:
    """Give a line for each weakness that is known."""
    return [
        f"{each['name']} {each['version']}: {one['id']}"
        f"{' (' + ', '.join(one['aliases']) + ')' if one.get('aliases') else ''}"
        f", {'repaired in ' + ', '.join(one['fix_versions']) if one.get('fix_versions') else 'not repaired yet'}"
        for each in listed
        for one in each["vulns"]
    ]


def audit(locks: list[Path], osv: str, must: bool) -> int:
    """Ask, say what came of it, and give the exit status. must: whether it is a failure that nothing can be asked."""
    try:
        wanted = pins(locks)
        known = findings(ask(wanted, osv))
    except NoAnswerError as why:
        sys.stdout.write(f"NOT AUDITED: the database of known weaknesses ({osv}) gives no answer: {why}\n")
        return UNASKED if must else CLEAN
    except (AuditError, LockError) as error:
        sys.stderr.write(f"make audit: {error}\n")
        return BROKEN
    sys.stdout.write("".join(f"{line}\n" for line in known))
    sys.stdout.write(f"audited: {len(wanted)} locked packages, {len(known) or 'nothing'} known against them\n")
    return FOUND if known else CLEAN


def main(arguments: list[str]) -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="make audit", description="Ask what is known against the locked libraries.")
    parser.add_argument("--must", action="store_true", help="fail where the database cannot be asked")
    parser.add_argument("--osv-url", default=OSV, help="another database that answers as OSV does")
    parser.add_argument("locks", nargs="*", type=Path, help="lock files (default: all)")
    options = parser.parse_args(arguments)
    return audit(options.locks or sorted(LOCKS.glob("*.txt")), options.osv_url, options.must)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
