"""Fetching KiCad: whoever cannot is told why and what helps, and what came over is not fetched twice."""

from __future__ import annotations

import os

import pytest

from hardware.board import kicad
from hardware.board.kicad import Kicad, NoKicad


def test_without_root_it_is_said_what_needs_it(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(NoKicad, match="only root may:  sudo make hardware"):
        Kicad(tmp_path).provide()


def test_without_mmdebstrap_its_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoKicad, match="sudo apt install --no-install-recommends mmdebstrap"):
        Kicad(tmp_path).provide()


def test_a_fetch_that_fails_names_the_mirror_and_keeps_what_came_over(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    tool = tmp_path / "bin" / "mmdebstrap"
    tool.parent.mkdir()
    cache = tmp_path / "trixie" / "var" / "cache" / "apt" / "archives"
    tool.write_text(
        f"#!/bin/sh\nmkdir -p {cache}\necho whole >{cache}/kicad.deb\necho 'E: no connection' >&2\nexit 1\n"
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
    made = Kicad(tmp_path, "http://127.0.0.1:9/debian")
    with pytest.raises(NoKicad, match=r"127\.0\.0\.1:9(.|\n)*1 packages are kept(.|\n)*no connection"):
        made.provide()
    assert [path.name for path in made.debs.iterdir()] == ["kicad.deb"]
    assert not made.is_there()


def test_a_folder_made_of_other_packages_is_not_taken_for_whole(tmp_path):
    made = Kicad(tmp_path)
    made.mark.write_text("bookworm kicad\n")
    assert not made.is_there()
    made.mark.write_text(kicad.MADE_AS)
    assert made.is_there()
