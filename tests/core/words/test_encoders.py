"""Whatever the program writes of its values, a text in it is written: by one place, and nowhere past it."""

from __future__ import annotations

import re
from pathlib import Path

import companion

ROOT = Path(companion.__file__).parent
PAST_IT = re.compile(r"msgspec\.json\.encode\b|msgspec\.json\.Encoder\b|msgspec\.to_builtins\b|enc_hook")
PLACE = "core/words/encoding.py"


def test_every_encoder_is_of_one_place() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if PAST_IT.search(path.read_text(encoding="utf-8"))
    }
    assert found == {PLACE}
