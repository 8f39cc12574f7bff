"""What a calibration leaves: evidence from which its figures follow, and which is found damaged where they do not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.core.calibration.kept import dump, parse
from companion.core.calibration.measured import hash_of, remark_of, why_damaged
from companion.core.errors import Malformed
from companion.core.panel import Colour
from companion.core.profiles.evidence import Evidence, Trials
from companion.core.profiles.exchange import as_code, from_code
from companion.core.profiles.profile import Allowance, Profile

TRIALS = Trials(
    times_ms=tuple(1200 + n % 20 for n in range(30)), median_ms=1207, others_ms=(420, 450, 480),
    low_ms=748, high_ms=766, proposal_ms=750, anticipations=1,
)  # fmt: skip


def with_trials(ms: int = 750, count: int = 0, **changes: Any) -> Allowance:
    return Allowance(ms=ms, evidence=Evidence(trials=msgspec.structs.replace(TRIALS, **changes), count=count))


def test_figures_that_follow_from_their_times_are_believed() -> None:
    assert why_damaged(with_trials()) == ""
    assert why_damaged(with_trials(ms=700)) == ""  # races have made it smaller
    assert why_damaged(Allowance(ms=900)) == ""  # named, not measured


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"times_ms": TRIALS.times_ms[:-1]}, "29 trials"),
        ({"times_ms": (), "count": 29}, "29 trials"),
        ({"count": 60}, "30 trials, and says 60"),
        ({"times_ms": (), "count": 30, "proposal_ms": 900}, "does not follow from its medians"),
        ({"others_ms": ()}, "no whole round"),
        ({"times_ms": (*TRIALS.times_ms[:15], *([9000] * 15))}, "median"),
        ({"median_ms": 1300}, "median"),
        ({"proposal_ms": 900}, "does not follow from its medians"),
        ({"others_ms": (20, 30, 40)}, "does not follow from its medians"),
        ({"low_ms": 900}, "does not follow from its medians"),
    ],
)
def test_figures_that_do_not_are_found(changes: dict[str, Any], why: str) -> None:
    assert why in why_damaged(with_trials(**changes))


@pytest.mark.parametrize("count", [0, 30])
def test_times_that_did_not_come_along_are_no_damage(count: int) -> None:
    """A code has no room for them."""
    assert why_damaged(with_trials(times_ms=(), count=count)) == ""


def test_what_came_by_a_code_is_believed_and_says_how_many_trials_it_rests_on() -> None:
    came = from_code(as_code(Profile(name="Ann", allowance=with_trials())))

    assert why_damaged(came.allowance) == ""
    assert came.allowance.evidence is not None
    said = remark_of(Colour.RED, 750, came.allowance.evidence)
    assert said.startswith("red's allowance was measured as 750 ms by 30 trials (choice): median 1207 ms, ")
    assert from_code(as_code(came)) == came  # and on to a third box


def test_an_allowance_above_what_was_measured_is_found() -> None:
    assert "above" in why_damaged(with_trials(ms=760))


def test_a_remark_says_the_figures_and_names_the_evidence() -> None:
    said = remark_of(Colour.RED, 700, Evidence(trials=TRIALS))
    assert said == (
        "red's allowance was measured as 750 ms by 30 trials (choice): median 1207 ms, of the others 420, 450, 480 ms, "
        f"95 % interval 748 to 766 ms; evidence {hash_of(TRIALS)[:16]}; races since have made it 700 ms"
    )
    assert remark_of(Colour.RED, 750, Evidence()) == ""


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[]", b"\xff", b'{"version":2,"player":"red","seats":[]}',
        b'{"version":1,"player":"red","seats":[]}',
        b'{"version":1,"player":"red","seats":[{"colour":"blue","way":"choice"}]}',
        b'{"version":1,"player":"red","seats":[{"colour":"red","way":"choice"},{"colour":"red","way":"choice"}]}',
        b'{"version":1,"player":"red","seats":[{"colour":"red","way":"choice","times_ms":[-4]}]}',
        b"[" * 100_000,
    ],
)  # fmt: skip
def test_kept_trials_that_are_damaged_are_refused_in_a_sentence(content: bytes) -> None:
    with pytest.raises(Malformed, match="the trials that were kept cannot be read"):
        parse(content)


def test_kept_trials_come_back_as_they_were() -> None:
    kept = parse(b'{"version":1,"player":"red","seats":[{"colour":"red","way":"switch","times_ms":[4,5],"lapsed":1}]}')
    assert parse(dump(kept)) == kept
    assert kept.trials == 2
