"""What a page is told of a person's profile and of a trial, and what its person alone may change."""

from __future__ import annotations

import base64

import msgspec
import pytest

from companion.core.errors import Malformed
from companion.core.profiles.exchange import as_code, as_file
from companion.core.profiles.profile import Allowance, Filters, OwnButton, Profile, Screens
from companion.core.profiles.sitting import NOBODY
from companion.core.profiles.told import along_document, profile_document, trial_document
from companion.core.profiles.tremor import Asked, Touched
from companion.core.profiles.wishes import Wishes, concessions_of, wishes_of, with_wishes
from tests.core.profiles.people import FULL, PLAIN


def test_a_person_may_change_everything_but_name_card_and_allowance() -> None:
    wishes = Wishes(language="fr", filters=Filters(accept_ms=15), screens=Screens(simple=True))
    changed = with_wishes(FULL, wishes)
    assert wishes_of(changed) == wishes
    assert (changed.name, changed.card, changed.allowance) == (FULL.name, FULL.card, FULL.allowance)
    assert with_wishes(PLAIN, wishes_of(PLAIN)) == PLAIN


@pytest.mark.parametrize(
    ("profile", "says"),
    [
        (PLAIN, ()),
        (Profile(name="Ann", filters=Filters(accept_ms=20)), ()),
        (Profile(name="Ann", filters=Filters(accept_ms=20.5)),
         ("a touch counts after 20.5 ms, which is more than 20: every seat agrees to it first",)),
        (Profile(name="Ann", allowance=Allowance(ms=1200)),
         ("1,200 ms are taken off each time: every seat agrees to it first",)),
    ],
)  # fmt: skip
def test_what_every_seat_must_agree_to_is_said_beforehand(profile: Profile, says: tuple[str, ...]) -> None:
    assert tuple(map(str, concessions_of(profile))) == says


def test_a_page_is_told_what_can_be_changed_and_never_what_the_card_says() -> None:
    told = profile_document(FULL)
    assert (told["name"], told["allowance_ms"], told["has_card"]) == (FULL.name, 830, True)
    assert told["measured"] == "2026-11-23T20:15:04+01:00"
    assert len(told["concessions"]) == 2
    assert told["wishes"]["scanning"]["order"] == (3, 1, 2, 4)
    assert FULL.card not in repr(told)
    plain = profile_document(PLAIN)
    assert (plain["measured"], plain["has_card"], plain["concessions"]) == (None, False, [])


def test_what_is_taken_along_is_a_file_a_code_and_the_card() -> None:
    assert along_document(FULL) == {
        "name": FULL.name, "file": as_file(FULL).decode(), "code": as_code(FULL), "code_says": None,
        "card": f"P-{FULL.card}",
    }  # fmt: skip
    assert along_document(PLAIN)["card"] is None


def test_where_a_code_has_no_room_the_file_is_taken_along_and_why_is_said() -> None:
    names = [base64.b85encode(bytes((n * 37 + i * i * 11) % 251 for i in range(60))).decode() for n in range(16)]
    devices = tuple(OwnButton(device=name, code=n, place=1) for n, name in enumerate(names))
    told = along_document(msgspec.structs.replace(FULL, mapping=devices))
    assert told["code"] is None
    assert "take it along as a file" in told["code_says"]


def test_a_trial_tells_each_touch_as_it_would_be_under_what_is_proposed() -> None:
    rounds = tuple(Asked(1, 4000.0 * n) for n in range(3))
    brushes = tuple(Touched(2, 4000.0 * n + 200, 4000.0 * n + 260) for n in range(3))
    meant = tuple(Touched(1, 4000.0 * n + 500, 4000.0 * n + 650) for n in range(3))
    for bounce_ms in (None, 20.0):
        told = trial_document((*brushes, *meant), rounds, bounce_ms)
        assert (told["accept_ms"], told["fits"]) == (80, True)
        assert sorted((one["place"], one["is_press"]) for one in told["touches"]) == [(1, True)] * 3 + [(2, False)] * 3
    with pytest.raises(Malformed, match="3 to 30 rounds"):
        trial_document((), (), None)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"name": " Ann"}, "blanks around it"),
        ({"version": 2}, "this program reads 1"),
    ],
)
def test_what_is_no_profile_of_this_version_is_none(changes: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Profile(**{"name": "Ann", **changes})  # type: ignore[arg-type]


def test_an_order_of_scanning_offers_each_button_once() -> None:
    with pytest.raises(msgspec.ValidationError, match="each of the four buttons once"):
        msgspec.json.decode(b'{"name":"Ann","scanning":{"order":[1,1,2,3]}}', type=Profile)


def test_a_box_without_a_list_of_players_knows_nobody() -> None:
    assert (NOBODY.names(), NOBODY.find("Ann"), NOBODY.by_card("A" * 16)) == ((), None, None)
