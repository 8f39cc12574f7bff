"""Practice matches are stored like any other, and stand in nobody's figures."""

from __future__ import annotations

import json

from companion.app.storing.people import JudgedMatches
from companion.core.record.practice import PRACTICE
from companion.games import registry
from tests.core.people.records import record

NAMES = {"red": "Ann", "blue": "Bob"}


class TwoMatches:
    """An archive of a match that counts and of one that was played to learn."""

    def matches(self):
        return [{"id": number, "started": "2025-03-01T19:30:00+01:00"} for number in (2, 1)]

    def lines(self, match_id):
        lines = record({"red": 400, "blue": 500}, names=NAMES)
        remark = json.dumps({"type": "remark", "text": PRACTICE, "source": "box"}).encode()
        return lines if match_id == 1 else [*lines[:2], remark, *lines[2:]]

    def evidence(self, sha256):
        return None


def test_only_the_other_counts():
    matches = JudgedMatches(TwoMatches(), registry.find)
    assert [match.id for match in matches.all()] == [1, 2]
    assert [match.id for match in matches.counting()] == [1]
    assert matches.counting(frozenset({1})) == []
