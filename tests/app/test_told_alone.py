"""Which seats the box can tell something alone: by an earphone, or a motor."""

from __future__ import annotations

from companion.app.assembly import told_alone
from companion.config.settings import Seats, SeatSettings, Settings, Signals
from companion.core.panel import Colour


def test_a_seat_is_told_alone_by_its_earphone_or_its_motor_where_the_box_has_a_chip_for_motors() -> None:
    seats = Seats(red=SeatSettings(earphone="hw:2"))
    assert told_alone(Settings(seats=seats)) == {Colour.RED}
    motors = Signals(kind="pca9685", motors=(-1, 3, -1, -1, -1))
    assert told_alone(Settings(seats=seats, signals=motors)) == {Colour.RED, Colour.YELLOW}
