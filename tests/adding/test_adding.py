"""A dead heat's policy, a display chip and a page are each added by one entry in one table, and work everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.adding.copies import Entry, copy_with, run_on

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow  # starts processes

POLICY = Entry(
    "companion/core/record/dead_heats.py",
    "POLICIES",
    "}",
    """    "widdershins": Policy(
        "anticlockwise",
        lambda one: (-one.seats,),
        "Dead heats go anticlockwise from whoever revealed last.",
    ),
""",
)
CHIP = Entry(
    "companion/core/shown/displays.py", "CHIPS", "}", '    "ssd1315": Chip((128, 64), Memory.WINDOWS, has_pump=True),\n'
)

PAGE = Entry(
    "companion/adapters/web/pages.py", "PAGES", ")", '    Page("scores", "/scores", "Scores & sums", "the scores"),\n'
)
CONTENT = {
    "companion/adapters/web/templates/scores.html": "<h1>The scores: $5</h1>\n",
    "companion/adapters/web/static/js/scores.js": 'import { bar } from "./frame/bar.js";\nbar();\n',
    "companion/adapters/web/static/css/scores.css": "h1 { margin: 0; }\n",
}


@pytest.mark.parametrize(
    ("entry", "files", "module"),
    [
        pytest.param(POLICY, {}, "added_policy.py", id="policy"),
        pytest.param(CHIP, {}, "added_chip.py", id="chip"),
        pytest.param(PAGE, CONTENT, "added_page.py", id="page"),
    ],
)
def test_one_entry_is_enough(entry: Entry, files: dict[str, str], module: str, tmp_path: Path) -> None:
    done = run_on(copy_with(tmp_path, entry, files=files), module)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@pytest.mark.parametrize("module", ["added_policy.py", "added_chip.py", "added_page.py"])
def test_without_the_entry_every_one_of_these_tests_fails(module: str, tmp_path: Path) -> None:
    done = run_on(copy_with(tmp_path, None), module)
    assert done.returncode == 1, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" not in done.stdout.splitlines()[-1]
