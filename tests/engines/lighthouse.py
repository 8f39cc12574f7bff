"""Lighthouse: what it says of a page, by its command line, in Debian's Chromium without a screen."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from tests.engines.engine import EngineError

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / ".ci" / "engines" / "node_modules" / "lighthouse" / "cli" / "index.js"
CATEGORIES = ("performance", "accessibility", "best-practices")
SLOWER = 4.0
"""So many times slower than the machine that measures Lighthouse takes a phone to be."""
PHONE = 400
"""How fast that phone is, by Lighthouse's `benchmarkIndex`: a low one has 264, a middling one 1,000 (the presets of
Chrome's developer tools); a fourth of a machine of 1,600. On a slow machine, four times slower is no phone any more."""
PATIENCE_S = 120
STARTS = 3
AGAIN = ("Unable to connect to Chrome", "NO_NAVSTART")
"""Lighthouse waits for Chromium for some seconds only, and at times misses in its trace where the page began: on a busy
machine it has to be asked again. Neither says anything of the page."""


class Told(NamedTuple):
    """scores: of each category, 0 to 100, None where it could not be measured. faults: what costs points.

    speed: the `benchmarkIndex` of this machine while it was measured.
    """

    scores: dict[str, int | None]
    faults: list[str]
    speed: float

    def slower(self) -> float:
        """Return how many times slower than this machine the phone is; at least 1, and at most as by default."""
        return min(max(self.speed / PHONE, 1.0), SLOWER)


def measure(url: str, folder: Path, slower: float = SLOWER) -> Told:
    """Measure a page on a phone whose processor is so many times slower than this machine's, and slow 4G."""
    report = folder / "report.json"
    for _ in range(STARTS):  # each in a folder of a short name: that of Chromium's socket there has 107 bytes at most
        with tempfile.TemporaryDirectory(prefix="lh") as short:
            ran = _run(url, report, Path(short), slower)
        if ran.returncode == 0 or not any(why in ran.stdout + ran.stderr for why in AGAIN):
            break
    if ran.returncode != 0:
        raise EngineError(f"Lighthouse ended with {ran.returncode}: {ran.stdout}{ran.stderr}")
    return read(json.loads(report.read_text(encoding="utf-8")))


def _run(url: str, report: Path, scratch: Path, slower: float) -> subprocess.CompletedProcess[str]:
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    return subprocess.run(
        [
            "node", str(PROGRAM), url, "--output=json", f"--output-path={report}", "--quiet",
            f"--only-categories={','.join(CATEGORIES)}", "--chrome-flags=--headless=new --no-sandbox",
            f"--throttling.cpuSlowdownMultiplier={slower:.2f}",
            "--no-enable-error-reporting", "--disable-full-page-screenshot",
        ],
        env={**os.environ, "CHROME_PATH": chromium, "TMPDIR": str(scratch)}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip


def read(report: dict[str, Any]) -> Told:
    """Read a report."""
    scores: dict[str, int | None] = {}
    faults = []
    for name, category in report["categories"].items():
        score = category["score"]
        scores[name] = None if score is None else round(score * 100)
        for part in category["auditRefs"]:
            audit = report["audits"][part["id"]]
            is_fault = audit["score"] is not None and audit["score"] < 1
            if part["weight"] and (is_fault or audit.get("errorMessage")):
                told = audit.get("errorMessage") or audit.get("displayValue") or audit["title"]
                faults.append(f"{name}: {part['id']}: {told}")
    return Told(scores, faults, report["environment"]["benchmarkIndex"])
