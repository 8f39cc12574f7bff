"""The measured figures are on one page; the README says in three lines what they rest on, and links to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs/accuracy.md").read_text(encoding="utf-8")
TITLES = re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)
HEADINGS = [re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in TITLES]


def test_the_readme_has_three_lines_on_accuracy_and_a_link() -> None:
    section = README.split("\n## How accurate is it?\n")[1].split("\n## ")[0].strip().splitlines()
    assert len(section) == 4
    assert section[3] == "[Read the figures](docs/accuracy.md)."
    assert not any(re.search(r"\d", line) for line in section)


@pytest.mark.parametrize("unit", ["µs", "MB", "p50", "p99", "times as", "2026"])
def test_the_readme_has_no_measured_figure(unit: str) -> None:
    assert unit not in README


def test_every_place_on_the_page_that_the_readme_links_to_is_a_heading() -> None:
    linked = re.findall(r"docs/accuracy\.md#([\w-]+)", README)
    assert len(linked) >= 3
    assert set(linked) <= set(HEADINGS)


def test_every_table_of_figures_says_command_date_and_machine() -> None:
    heads = re.findall(r"^(\| figure .*)\n\|---", PAGE, re.MULTILINE)
    assert len(heads) > 10
    assert [head for head in heads if "| command | date | machine |" not in head] == []
