"""A box's machine and a desk's together: enrolled, sat down, pushed, official; a table that moves with its record."""

from __future__ import annotations

from companion.core.record.seals import in_base64
from companion.tournament.box.effects import Effect, IsFinal, Keep, Prepare, Publish, TakeUp
from companion.tournament.box.kept import Kept, Who
from companion.tournament.box.machine import BoxInEvent
from companion.tournament.desk.rounds import move_table
from companion.tournament.fingerprint import fingerprint
from companion.tournament.log import lines
from companion.tournament.log.chain import sheet_of
from companion.tournament.log.lines import TableDrawn
from companion.tournament.wire import read_up
from tests.tournament.desk.hall import Hall
from tests.tournament.tables.sealing import box_key


class Playing:
    """Boxes at a desk, everything through topics and payloads."""

    def __init__(self, count: int) -> None:
        self.hall = Hall()
        self.boxes = {
            f"box-{number}": BoxInEvent(
                Who("spring", f"box-{number}", in_base64(box_key(number).key), "test"), Kept(event="spring")
            )
            for number in range(1, count + 1)
        }
        self.done: dict[str, list[Effect]] = {name: [] for name in self.boxes}
        for box in self.boxes.values():
            box.connected(0)
        self.carry()

    def carry(self) -> None:
        """Carry everything up and down until nothing is left."""
        is_left = True
        while is_left:
            is_left = False
            for name, box in self.boxes.items():
                for effect in box.take():
                    is_left = True
                    if isinstance(effect, Publish):
                        self.hall.done(self.hall.desk.arrived(read_up(effect.topic, effect.payload)))
                    elif not isinstance(effect, Keep):
                        self.done[name].append(effect)
                for message in self.hall.told.pop(name, []):
                    is_left = True
                    box.hear(message, 0)  # type: ignore[arg-type]

    def enrol(self) -> None:
        for number in range(1, len(self.boxes) + 1):
            self.hall.done(self.hall.desk.enrol(fingerprint(box_key(number).key), self.hall.wall))
        self.carry()

    def draw(self) -> None:
        tables = (TableDrawn(1, (1, 2, 3, 4)),)
        self.hall.act(lines.DrawnLine, round=1, tables=tables, sheet=sheet_of(tables, (), "spring", 1))
        self.hall.act(lines.AssignedLine, round=1, table=1, box="box-1")
        self.carry()


def test_a_box_is_told_that_it_is_not_enrolled_until_its_code_was_typed() -> None:
    it = Playing(1)
    assert "type the code" in it.boxes["box-1"].not_enrolled
    it.enrol()
    assert (it.boxes["box-1"].not_enrolled, it.boxes["box-1"].pushing.has_listener) == ("", True)


def test_a_table_is_sat_down_at_pushed_and_becomes_official_and_final() -> None:
    it = Playing(1)
    it.enrol()
    it.hall.players(4)
    it.draw()
    [prepared] = [effect for effect in it.done["box-1"] if isinstance(effect, Prepare)]
    assert prepared.sit is not None
    assert [seat.name for seat in prepared.sit.seats] == ["Player 1", "Player 2", "Player 3", "Player 4"]
    record = it.hall.record(1, signed=("red", "yellow", "green", "blue"))
    box = it.boxes["box-1"]
    for raw in record:
        box.grew(record[0].split(b'"match": "')[1][:32].decode(), [raw], 0)
    it.carry()
    [match] = box.status().matches
    assert (match.lines, match.pushed, match.conflict) == (len(record), len(record), "")
    assert "record" in it.hall.kinds()
    assert any(isinstance(effect, IsFinal) for effect in it.done["box-1"])


def test_a_table_moves_with_its_record_and_the_first_box_is_told() -> None:
    it = Playing(2)
    it.enrol()
    it.hall.players(4)
    it.draw()
    record = it.hall.record(1)[:6]
    match = record[0].split(b'"match": "')[1][:32].decode()
    it.boxes["box-1"].grew(match, record, 0)
    it.carry()
    it.hall.done(move_table(it.hall.desk, 1, 1, "box-2", it.hall.wall, match=match, record=record))
    it.carry()
    assert it.done["box-1"][-1] == Prepare(None, "the table has gone to box-2")
    taken = [effect for effect in it.done["box-2"] if isinstance(effect, TakeUp)]
    assert taken == [TakeUp(match, tuple(record))]
    assert it.boxes["box-2"].kept.sit is None
    it.boxes["box-2"].grew(match, record, 0)
    it.carry()
    assert it.boxes["box-2"].pushing.outboxes[match].is_whole
