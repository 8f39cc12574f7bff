"""`companion pin`: the referee's PIN for whoever may read its file, and a sentence for whoever may not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.adapters.web.access.pin_file import PIN_FILE, PinFile
from companion.cli.access import pin
from companion.cli.main import FAILED, main
from companion.core.errors import Unavailable


def test_it_prints_the_pin_that_the_box_has_now(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = PinFile(tmp_path).load()
    assert main(["pin", "--state-dir", str(tmp_path)]) == 0
    assert capsys.readouterr() == (f"{drawn}\n", "")
    PinFile(tmp_path).store("31415926")
    assert main(["pin", "--state-dir", str(tmp_path)]) == 0
    assert capsys.readouterr() == ("31415926\n", "")


def test_where_there_is_none_yet_it_says_so_and_draws_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pin", "--state-dir", str(tmp_path)]) == FAILED
    out, err = capsys.readouterr()
    assert (out, "there is no PIN in" in err, err.count("\n")) == ("", True, 1)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_may_not_be_read_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / PIN_FILE).write_text("1234\n")

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    for module, call in ((Path, "stat"), (os, "open")):
        with monkeypatch.context() as patched:
            patched.setattr(module, call, refused)
            with pytest.raises(Unavailable, match=r"cannot read the referee's PIN from .*Permission denied"):
                pin.read_pin(tmp_path)
