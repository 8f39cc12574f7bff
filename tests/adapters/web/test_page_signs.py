"""The pages tell signs as the box does: by the same rhythms, notes and words."""

from __future__ import annotations

import json

from companion.core.signals.signs import SAYS, Sign
from tests.adapters.web.page_signs import FILE, written

MARK = FILE.with_name("edge_mark.js")


def test_the_pages_table_of_signs_is_the_program_s():
    assert FILE.read_text(encoding="utf-8") == written(), "write it anew: python -m tests.adapters.web.page_signs"


def test_the_mark_says_each_sign_in_the_program_s_words_which_can_be_translated():
    source = MARK.read_text(encoding="utf-8")
    for sign in Sign:
        key = sign.value if sign.value.isidentifier() else json.dumps(sign.value)
        assert f"{key}: say({json.dumps(str(SAYS[sign]))})" in source, sign
