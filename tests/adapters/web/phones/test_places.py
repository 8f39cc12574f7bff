"""Places of panels: who comes back, who must go, and the door. No button is pressed here."""

from __future__ import annotations

import pytest

from companion.adapters.web.phones.places import (
    CLEARED,
    MOST_PANELS,
    MOST_PANELS_OF_ONE,
    TAKEN_OVER,
    NoRoom,
    Place,
    Places,
    Shut,
    Visitor,
)  # fmt: skip
from companion.core.panel import Colour

CLUB = Visitor("192.0.2.1")


class Room(Places[Place]):
    """Places with nothing in them; what follows is noted."""

    def __init__(self) -> None:
        super().__init__(Place)
        self.let_go: list[str] = []
        self.faults: list[str] = []
        self.well: list[str] = []
        self.changes = 0

    def _came(self, panel: Place) -> None:
        pass

    def _let_go(self, panel: Place) -> None:
        self.let_go.append(panel.code)

    def _changed(self) -> None:
        self.changes += 1

    def _fault(self, panel: Place, text: str) -> None:
        self.faults.append(text)

    def _well(self, panel: Place, text: str) -> None:
        self.well.append(text)


def seated(room: Room, colour: Colour, visitor: Visitor = CLUB) -> Place:
    return room.grant(room.join(None, colour, visitor).code, colour)


def fill(room: Room, *, from_where: str = "198.51.100.", of_one: int = MOST_PANELS_OF_ONE) -> list[Place]:
    """Fill the house from as few addresses as may be, all connected and asking for a seat."""
    free = MOST_PANELS - len(room._panels)
    return [room.join(None, Colour.RED, Visitor(f"{from_where}{number // of_one}")) for number in range(free)]


def test_a_seated_phone_that_was_gone_has_its_place_again_after_a_thousand_others_have_come_and_gone() -> None:
    room = Room()
    phone = seated(room, Colour.BLUE)
    room.leave(phone, phone.connection)
    for number in range(1000):
        other = room.join(None, None, Visitor(f"198.51.100.{number % 200}"))
        room.leave(other, other.connection)
    fill(room)
    again = room.join(phone.secret, None, CLUB)
    assert again is phone
    assert (again.seat, again.is_gone, again.why_not(again.connection)) == (Colour.BLUE, False, None)


def test_a_second_tab_takes_over_and_the_end_of_the_first_changes_nothing() -> None:
    room = Room()
    phone = seated(room, Colour.BLUE)
    first = phone.connection
    again = room.join(phone.secret, None, CLUB)
    assert again.why_not(first) == TAKEN_OVER
    room.leave(again, first)
    assert not again.is_gone


def test_the_one_that_went_first_goes_first() -> None:
    room = Room()
    phones = [room.join(None, None, CLUB) for _ in range(MOST_PANELS_OF_ONE)]
    for index in (3, 1, 2):
        room.leave(phones[index], phones[index].connection)
    room.join(None, None, CLUB)
    assert [phone.is_cleared for phone in phones[:4]] == [False, False, False, True]
    room.join(None, None, CLUB)
    assert [phone.is_cleared for phone in phones[:4]] == [False, True, False, True]


def test_one_address_has_no_more_panels_than_the_settings_say_and_those_with_a_seat_do_not_count() -> None:
    room = Room()
    players = [seated(room, colour) for colour in Colour]
    asking = [room.join(None, Colour.RED, CLUB) for _ in range(MOST_PANELS_OF_ONE)]
    with pytest.raises(NoRoom, match=f"{MOST_PANELS_OF_ONE} panels without a seat from your address"):
        room.join(None, Colour.RED, CLUB)
    room.leave(asking[0], asking[0].connection)
    room.join(None, Colour.RED, CLUB)
    assert not any(player.is_cleared for player in players)


def test_one_that_asks_for_no_seat_makes_way_for_another_of_its_address() -> None:
    room = Room()
    idle = room.join(None, None, CLUB)
    for _ in range(MOST_PANELS_OF_ONE):
        room.join(None, Colour.RED, CLUB)
    assert idle.why_not(idle.connection) == CLEARED
    assert idle.code in room.let_go


def test_the_box_s_own_machine_may_have_more() -> None:
    room = Room()
    for _ in range(3 * MOST_PANELS_OF_ONE):
        room.join(None, Colour.RED, Visitor("127.0.0.1", is_near=True))


def test_whoever_fills_the_house_makes_way_for_a_guest_of_another_address_and_no_player_does() -> None:
    room = Room()
    players = [seated(room, colour) for colour in Colour]
    for player in players[:3]:
        room.leave(player, player.connection)
    squatters = fill(room)
    guest = room.join(None, Colour.GREEN, CLUB)
    assert not any(player.is_cleared for player in players)
    assert [squatter.is_cleared for squatter in squatters].count(True) == 1
    assert guest.why_not(guest.connection) is None
    with pytest.raises(NoRoom, match=f"{MOST_PANELS} panels already"):
        room.join(None, Colour.RED, Visitor("198.51.100.0"))


def test_a_full_house_of_single_guests_sends_nobody_away_for_one_more() -> None:
    room = Room()
    guests = fill(room, of_one=1)
    with pytest.raises(NoRoom):
        room.join(None, Colour.RED, CLUB)
    assert not any(guest.is_cleared for guest in guests)


def test_the_end_of_one_that_was_cleared_changes_nothing() -> None:
    room = Room()
    idle = room.join(None, None, CLUB)
    for _ in range(MOST_PANELS_OF_ONE):
        room.join(None, Colour.RED, CLUB)
    before = room.changes
    room.leave(idle, idle.connection)
    assert (room.changes, idle.is_gone) == (before, False)
    assert room.join(idle.secret, None, Visitor("192.0.2.9")) is not idle


def test_a_shut_door_keeps_out_whoever_is_new_and_nobody_else() -> None:
    room = Room()
    phone, known = seated(room, Colour.RED), room.join(None, None, CLUB)
    room.leave(phone, phone.connection)
    room.leave(known, known.connection)
    room.open_door(is_open=False)
    with pytest.raises(Shut, match="no new panels"):
        room.join(None, Colour.RED, CLUB)
    with pytest.raises(Shut):
        room.join("guessed", None, CLUB)
    assert room.join(phone.secret, None, CLUB) is phone
    assert room.join(known.secret, None, CLUB) is known
    room.join(None, None, Visitor("127.0.0.1", is_near=True))
    room.join(None, None, Visitor("192.0.2.9", rights=lambda: True))
    room.open_door(is_open=True)
    assert room.join(None, Colour.RED, CLUB).asks is Colour.RED


def test_a_player_who_comes_from_another_address_keeps_the_place() -> None:
    room = Room()
    phone = seated(room, Colour.RED)
    assert room.join(phone.secret, None, Visitor("192.0.2.77")) is phone
    assert phone.visitor.address == "192.0.2.77"


def test_one_consent_gives_each_phone_the_free_seat_it_asks_for_and_takes_nobodys() -> None:
    room = Room()
    holder, gone = seated(room, Colour.RED), seated(room, Colour.BLUE)
    room.leave(gone, gone.connection)
    asking = [room.join(None, colour, CLUB) for colour in (Colour.RED, Colour.BLUE, Colour.GREEN, Colour.GREEN)]
    left = room.join(None, Colour.PURPLE, CLUB)
    room.leave(left, left.connection)
    unseen = room.join(None, Colour.YELLOW, CLUB)
    granted = room.grant_all([panel.code for panel in (holder, *asking, left)])
    assert granted == [asking[1], asking[2]]
    assert [panel.seat for panel in asking] == [None, Colour.BLUE, Colour.GREEN, None]
    assert (holder.seat, gone.seat, left.seat, unseen.seat) == (Colour.RED, None, None, None)


def test_what_was_told_of_a_phone_holds_no_longer_once_it_is_back_replaced_or_has_no_seat() -> None:
    room = Room()
    phone, other = seated(room, Colour.BLUE), room.join(None, Colour.BLUE, CLUB)
    room.leave(phone, phone.connection)
    assert room.faults == [f"the phone {phone.code} (blue) has gone: open its page again, or give the seat to another"]
    room.join(phone.secret, None, CLUB)
    assert room.well.pop() == f"the phone {phone.code} (blue) is back"
    room.leave(phone, phone.connection)
    room.grant(other.code, Colour.BLUE)
    assert room.well.pop() == f"the phone {phone.code} (blue) was replaced by the phone {other.code}"
    room.join(phone.secret, None, CLUB)
    assert room.well == [], "it has no seat: nothing was told of it"
    room.leave(other, other.connection)
    room.grant(other.code, None)
    assert room.well == [f"the phone {other.code} (blue) plays no longer"]
