"""The settings of a box as frozen values: what each means, what is allowed, and what holds when nothing is said.

Knows neither the file nor the command line they come from; opens nothing.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from companion.config.pins import PinMap, built_in
from companion.core.record.dead_heats import POLICIES
from companion.core.record.lines import MOST_ALLOWANCE_MS, DeadHeat
from companion.core.shown import displays
from companion.core.timing.contacts import ContactLimits, LineTiming
from companion.core.timing.events import MS, SECOND
from companion.games import registry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.panel import Colour

NAME_LENGTH = 12
"""Longest name of a player, in characters: what the smallest display has room for."""

if TYPE_CHECKING:
    DisplayKind = str  # a type checker cannot read the table
else:
    DisplayKind = Literal[("none", *displays.CHIPS)]


def _ns(value: float, unit_ns: int) -> int:
    """Give a setting's time as integer nanoseconds, of the decimal number that was written."""
    return int((Decimal(str(value)) * unit_ns).to_integral_value())


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """The program itself."""

    state_dir: Annotated[
        str,
        Meta(
            description='Where matches are kept. "": $STATE_DIRECTORY, else $XDG_STATE_HOME/table-companion, else'
            " ~/.local/state/table-companion"
        ),
    ] = ""
    log_level: Annotated[Literal["debug", "info", "warning", "error"], Meta(description="How much is logged")] = "info"
    resume: Annotated[
        Literal["ask", "always", "never"],
        Meta(description="What to do at the start with a match that was cut off: ask, go on with it, or begin anew"),
    ] = "ask"
    language: Annotated[
        str,
        Meta(
            pattern=r"^[a-z]{2,3}(_[A-Z]{2})?$",
            description="Of the words of games that have it, such as de; those that do not speak English",
        ),
    ] = "en"
    keep_matches: Annotated[
        int,
        Meta(
            ge=0,
            le=1_000_000,
            description="When a match begins, older ones than so many are deleted (about 100 kB each). 0: all are kept",
        ),
    ] = 0
    evidence_days: Annotated[
        int,
        Meta(
            ge=0,
            le=36_500,
            description="The raw edges around each race (some kB) are kept for so many days; those of a race that"
            " somebody protests, as long as its record. 0: all are kept",
        ),
    ] = 90


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """How the buttons are read."""

    kind: Annotated[
        Literal["auto", "gpiod", "gpiozero", "none"],
        Meta(description="auto: gpiod where libgpiod 2 is installed, else gpiozero. none: no buttons on pins"),
    ] = "auto"
    chip: Annotated[
        str,
        Meta(description='GPIO chip for gpiod: its label, name or path. "": the header\'s chip, found by its label'),
    ] = ""
    pin_factory: Annotated[
        Literal["", "lgpio", "rpigpio", "pigpio", "native"],
        Meta(description='Pin factory for gpiozero (buttons, knob, buzzer). "": gpiozero chooses'),
    ] = ""
    error_us: Annotated[
        int, Meta(ge=0, le=100_000, description="Half-width in µs of the uncertainty of a press read by gpiod")
    ] = 20
    delay_ms: Annotated[
        int,
        Meta(ge=0, le=1000, description="Worst delay in ms from an edge to its being read. 0: what the source states"),
    ] = 0

    @property
    def error_ns(self) -> int:
        """`error_us` in ns."""
        return self.error_us * 1000

    @property
    def delay_ns(self) -> int | None:
        """`delay_ms` in ns; None: the source's own."""
        return self.delay_ms * MS or None


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """When a contact is a press, and how long a race is open."""

    bounce_ms: Annotated[
        float,
        Meta(ge=0, le=50, description="A contact ends when its line has been open for so long; a press's time is its"
             " first edge, at most so long before it closed firmly"),
    ] = 20.0  # fmt: skip
    settle_ms: Annotated[
        float, Meta(ge=0, le=20, description="A contact has closed firmly once it is unbroken for so long")
    ] = 2.0
    accept_ms: Annotated[
        float,
        Meta(ge=0, le=500, description="A contact is a press once it has lasted so long; what is shorter counts never."
             " More than 20 is a concession to a seat"),
    ] = 2.0  # fmt: skip
    repeat_ms: Annotated[
        float, Meta(ge=0, le=5000, description="After a press the same button takes none for so long")
    ] = 0.0
    window_s: Annotated[float, Meta(ge=0.5, le=120, description="A race is open for so long after its first press")] = (
        3.0
    )
    stuck_s: Annotated[float, Meta(ge=1, le=600, description="A button held for longer is reported as stuck")] = 10.0
    chatter_hz: Annotated[
        int,
        Meta(
            ge=10,
            le=100_000,
            description="More edges a second, with closures all under 1 ms, is chattering",
        ),
    ] = 200
    late_ms: Annotated[
        int,
        Meta(
            ge=0,
            le=10_000,
            description="A press so soon after a race has closed is too late for it, and does not begin the next one",
        ),
    ] = 1000

    @property
    def limits(self) -> ContactLimits:
        """What holds for the contacts of every line."""
        return ContactLimits(_ns(self.settle_ms, MS), self.chatter_hz, _ns(self.stuck_s, SECOND))

    @property
    def window_ns(self) -> int:
        """`window_s` in ns."""
        return _ns(self.window_s, SECOND)

    @property
    def late_ns(self) -> int:
        """`late_ms` in ns."""
        return self.late_ms * MS


class SeatSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for the player of one colour."""

    name: Annotated[str, Meta(max_length=NAME_LENGTH, description="Name of the player of this colour")] = ""
    bounce_ms: Annotated[
        Annotated[float, Meta(ge=0, le=50)] | None,
        Meta(description="Instead of timing.bounce_ms; longer for a tremor that lifts the finger for moments"),
    ] = None
    accept_ms: Annotated[
        Annotated[float, Meta(ge=0, le=500)] | None,
        Meta(description="Instead of timing.accept_ms; above 20 it is a concession, and overlapping contacts of the"
             " seat count from when it has let go of the others"),
    ] = None  # fmt: skip
    repeat_ms: Annotated[
        Annotated[float, Meta(ge=0, le=5000)] | None,
        Meta(description="Instead of timing.repeat_ms; longer for a hand that presses twice"),
    ] = None
    extension_s: Annotated[
        float, Meta(ge=0, le=120, description="A race stays open so much longer where this seat plays")
    ] = 0.0
    allowance_ms: Annotated[
        int,
        Meta(ge=0, le=MOST_ALLOWANCE_MS, description="Taken off each of this seat's times before they are compared"),
    ] = 0

    @property
    def extension_ns(self) -> int:
        """`extension_s` in ns."""
        return _ns(self.extension_s, SECOND)


class Seats(msgspec.Struct, frozen=True, kw_only=True):
    """The five colours."""

    red: SeatSettings = SeatSettings()
    yellow: SeatSettings = SeatSettings()
    green: SeatSettings = SeatSettings()
    blue: SeatSettings = SeatSettings()
    purple: SeatSettings = SeatSettings()

    def of(self, colour: Colour) -> SeatSettings:
        """Give one colour's."""
        seat: SeatSettings = getattr(self, colour.value)
        return seat


class MatchSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What is played when nothing else is said."""

    game: Annotated[str, Meta(description="Name of an installed game")] = msgspec.field(default_factory=registry.first)
    variants: Annotated[tuple[str, ...], Meta(description="Variants of the game, as the record names them")] = ()
    files: Annotated[
        tuple[str, ...],
        Meta(
            description="Files that the game asks for, each as KEY=FILE: the name of one that comes along or that the"
            ' box keeps, or a path ("rules=snap.toml", "rules=/home/pi/mine.toml")'
        ),
    ] = ()
    dead_heat: Annotated[
        DeadHeat,
        Meta(
            description="Too close to call, a dead heat goes "
            + " or ".join(f"{policy.label} ({key})" for key, policy in POLICIES.items())
        ),
    ] = "timestamp"
    anticipation: Annotated[
        Literal["auto", "off", "flag", "punish"],
        Meta(
            description="What becomes of a press sooner after its scanned card than a person can see it: flag tells it,"
            " punish punishes it; auto flags where there is a scanner"
        ),
    ] = "auto"
    anticipation_ms: Annotated[
        int,
        Meta(ge=1, le=1000, description="How soon after its card is too soon (100: as in World Athletics' TR 16.6)"),
    ] = 100
    cards: Annotated[bool, Meta(description="Whether cards are entered; without, the box shows only who was first")] = (
        True
    )


class DisplaySettings(msgspec.Struct, frozen=True, kw_only=True):
    """The OLED."""

    kind: Annotated[
        DisplayKind,
        Meta(description=f"Chip of the display: {displays.known()}"),
    ] = displays.USUAL
    interface: Annotated[Literal["i2c", "spi"], Meta(description="How it is connected")] = "i2c"
    i2c_bus: Annotated[int, Meta(ge=0, le=255, description="Number of the I2C bus: 1 is GPIO 2 and 3")] = 1
    i2c_address: Annotated[
        int,
        Meta(ge=0x08, le=0x77, description="Address on the I2C bus, 0x3c or 0x3d", extra={"hex": True}),
    ] = 0x3C
    spi_port: Annotated[int, Meta(ge=0, le=1, description="Number of the SPI port")] = 0
    spi_device: Annotated[int, Meta(ge=0, le=2, description="Chip select of the SPI port (port 0: 0 or 1)")] = 0
    spi_dc_gpio: Annotated[int, Meta(ge=2, le=27, description="GPIO of the display's D/C wire, with SPI")] = 24
    spi_reset_gpio: Annotated[int, Meta(ge=2, le=27, description="GPIO of the display's reset wire, with SPI")] = 25
    rotate: Annotated[Literal[0, 180], Meta(description="Degrees by which the display is mounted upside down")] = 0
    contrast: Annotated[int, Meta(ge=0, le=255, description="Brightness")] = 255


class Buzzer(msgspec.Struct, frozen=True, kw_only=True):
    """The buzzer."""

    kind: Annotated[
        Literal["passive", "active", "none"],
        Meta(description="passive: plays tones. active: has its own tone, so that only the rhythm tells them apart"),
    ] = "passive"


class Web(msgspec.Struct, frozen=True, kw_only=True):
    """The table in a browser: pages, referee's desk and API."""

    enabled: Annotated[bool, Meta(description="Whether the box serves them")] = True
    lan: Annotated[bool, Meta(description="Whether other machines in the network may see them; else only this one")] = (
        False
    )
    host: Annotated[str, Meta(description='Address to listen on. "": 127.0.0.1, or with lan all of them')] = ""
    port: Annotated[int, Meta(ge=0, le=65_535, description="Port to listen on. 0: any free one")] = 8017
    names: Annotated[
        tuple[str, ...],
        Meta(
            description="Names this box is called by beside its own and its addresses; with the port where others reach"
            ' it by another (a tunnel): "localhost:9000"'
        ),
    ] = ()
    tls: Annotated[
        bool,
        Meta(
            description="Whether the pages are encrypted (https); companion encrypt makes what that needs and sets it"
        ),
    ] = False
    help_port: Annotated[
        int,
        Meta(
            ge=0, le=65_535, description="Plain port where phones learn how to trust encrypted pages. 0: any free one"
        ),
    ] = 8018
    phone_delay_ms: Annotated[
        int,
        Meta(ge=20, le=2000, description="Worst delay in ms of a press on a phone; each order waits so long while"
             " a phone may play"),
    ] = 150  # fmt: skip
    connections: Annotated[
        int, Meta(ge=16, le=2000, description="Connections of pages at a time, in all; fewer where files run out")
    ] = 400
    address_connections: Annotated[
        int,
        Meta(ge=4, le=2000, description="Connections of one address at a time, but the box's own: a club's phones may"
             " come by one"),
    ] = 24  # fmt: skip

    panels_per_address: Annotated[
        int, Meta(ge=1, le=64, description="Panels from one address that have no seat; those with one do not count")
    ] = 8
    screen_code: Annotated[
        bool,
        Meta(description="Whether the box's display shows a code, when a page asks, that opens the referee's desk"),
    ] = True
    max_error_ms: Annotated[
        float,
        Meta(ge=1, le=1000, description="A press on a phone that is less certain than this counts from its arrival"),
    ] = 30.0
    touch_delay_ms: Annotated[
        float, Meta(ge=0, le=100, description="How long phones' touch controllers take, in ms; taken off every touch")
    ] = 2.0
    touch_delay_error_ms: Annotated[
        float, Meta(ge=0, le=100, description="Half-width of the uncertainty of touch_delay_ms")
    ] = 2.0

    @property
    def phone_delay_ns(self) -> int:
        """`phone_delay_ms` in ns."""
        return self.phone_delay_ms * MS

    @property
    def max_error_ns(self) -> int:
        """`max_error_ms` in ns."""
        return _ns(self.max_error_ms, MS)

    @property
    def touch_delay_ns(self) -> int:
        """`touch_delay_ms` in ns."""
        return _ns(self.touch_delay_ms, MS)

    @property
    def touch_delay_error_ns(self) -> int:
        """`touch_delay_error_ms` in ns."""
        return _ns(self.touch_delay_error_ms, MS)


class Pods(msgspec.Struct, frozen=True, kw_only=True):
    """Button pods: buttons on a Pico at a USB serial port."""

    enabled: Annotated[bool, Meta(description="Whether pods that are assigned are read")] = True
    file: Annotated[
        str,
        Meta(description='Which pod\'s line is which button (companion pods assign). "": pods.toml in state_dir'),
    ] = ""
    ports: Annotated[
        tuple[str, ...],
        Meta(description="Serial ports to use. []: all that are a Pico's, as /dev/serial/by-id names them"),
    ] = ()
    max_bound_ms: Annotated[
        float,
        Meta(
            ge=0.1,
            le=100,
            description="A pod whose times are less certain than this is flagged; its close calls are dead heats",
        ),
    ] = 2.0
    edge_error_us: Annotated[
        int, Meta(ge=0, le=10_000, description="Half-width in µs of the uncertainty of a pod's own stamp")
    ] = 100
    delay_ms: Annotated[
        int, Meta(ge=5, le=1000, description="Worst delay in ms of an edge from a pod; each order waits so long")
    ] = 60

    @property
    def max_bound_ns(self) -> int:
        """`max_bound_ms` in ns."""
        return _ns(self.max_bound_ms, MS)


class Scanner(msgspec.Struct, frozen=True, kw_only=True):
    """A barcode, QR or RFID reader at a USB serial port, that reveals the cards it is shown."""

    port: Annotated[str, Meta(description='Its serial port, best from /dev/serial/by-id. "": no scanner')] = ""
    baud: Annotated[
        Literal[9600, 19_200, 38_400, 57_600, 115_200], Meta(description="Its speed, as the reader is set")
    ] = 9600
    prefix: Annotated[str, Meta(max_length=16, description="What it sends before each code, as it is set")] = ""
    deck: Annotated[
        str, Meta(description='File that says which code is which card. "": the printed labels (companion deck labels)')
    ] = ""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything; `pins` is `hardware/pinmap.toml`, or a `[pins]` table in its place."""

    box: Box = Box()
    source: Source = Source()
    timing: Timing = Timing()
    seats: Seats = Seats()
    match: MatchSettings = msgspec.field(default_factory=MatchSettings)
    display: DisplaySettings = DisplaySettings()
    buzzer: Buzzer = Buzzer()
    web: Web = Web()
    pods: Pods = Pods()
    scanner: Scanner = Scanner()
    pins: PinMap = msgspec.field(default_factory=built_in)

    def timing_of(self, colour: Colour | None) -> LineTiming:
        """Give what a press of a colour's buttons is; None: of the knob, which is nobody's."""
        general, own = self.timing, self.seats.of(colour) if colour is not None else SeatSettings()
        bounce_ms = general.bounce_ms if own.bounce_ms is None else own.bounce_ms
        accept_ms = general.accept_ms if own.accept_ms is None else own.accept_ms
        repeat_ms = general.repeat_ms if own.repeat_ms is None else own.repeat_ms
        return LineTiming(_ns(bounce_ms, MS), _ns(accept_ms, MS), _ns(repeat_ms, MS), colour)

    def window_ns(self, colours: Iterable[Colour]) -> int:
        """Give how long a race is open where these colours play: with the longest of their extensions."""
        return self.timing.window_ns + max((self.seats.of(colour).extension_ns for colour in colours), default=0)
