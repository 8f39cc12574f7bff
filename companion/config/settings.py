"""The settings of a box as frozen values: what each means, what is allowed, and what holds when nothing is said.

Knows neither the file nor the command line they come from; opens nothing.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from companion.config.groups.event import EventSettings
from companion.config.groups.times import TimesSettings
from companion.config.pins import PinMap, built_in, built_in_channels
from companion.core.panel import Colour
from companion.core.record.dead_heats import POLICIES
from companion.core.record.lines import MOST_ALLOWANCE_MS, DeadHeat, TimingMode
from companion.core.shown import displays
from companion.core.speech.utterance import FASTEST_WPM, SLOWEST_WPM, USUAL_WPM
from companion.core.switches.ways import MOST_LOOPS, SwitchScanning, Way, begun_at
from companion.core.timing.contacts import ContactLimits, LineTiming
from companion.core.timing.events import MS, SECOND
from companion.games import registry

if TYPE_CHECKING:
    from collections.abc import Iterable


NAME_LENGTH = 12
"""Longest name of a player, in characters: what the smallest display has room for."""

if TYPE_CHECKING:
    DisplayKind = str  # a type checker cannot read the table
else:
    DisplayKind = Literal[("none", *displays.CHIPS)]


NO_OUTPUT = -1
"""In a list of the expander's outputs: this seat has none."""
Outputs = tuple[Annotated[int, Meta(ge=NO_OUTPUT, le=15)], ...]


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
    merge_ms: Annotated[
        float,
        Meta(ge=0, le=1000, description="How long in ms an interrupt's thread may wait where the kernel does not tell:"
             " so much earlier an edge may have been that others were merged with. companion certify measures it"),
    ] = 2.0  # fmt: skip

    @property
    def merge_ns(self) -> int:
        """`merge_ms` in ns."""
        return round(self.merge_ms * MS)

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


Place = Annotated[int, Meta(ge=1, le=4)]
"""Which of a seat's four buttons, from the left."""


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
    earphone: Annotated[
        str,
        Meta(
            max_length=200,
            description='Sound device of this seat alone, as aplay -L names it ("hw:2"): its private choices are said'
            ' there. "": it has none',
        ),
    ] = ""
    input: Annotated[
        Literal["buttons", "scan"],
        Meta(description="buttons: each stands for a card. scan: any of the seat's buttons, pods, phone or switches is"
             " one switch; its first press is the time, then its cards are offered one after another"),
    ] = "buttons"  # fmt: skip
    scan_way: Annotated[
        Literal["automatic", "step", "inverse"],
        Meta(description="automatic: time moves on, a press picks. step: one switch moves on, another picks. inverse:"
             " hold to move on, let go to pick"),
    ] = "automatic"  # fmt: skip
    scan_dwell_s: Annotated[float, Meta(ge=0.3, le=5, description="How long each thing is offered")] = 1.0
    scan_loops: Annotated[
        int, Meta(ge=1, le=MOST_LOOPS, description="How often all are offered before the last one is played")
    ] = 3
    scan_order: Annotated[
        tuple[Place, ...],
        Meta(min_length=4, max_length=4, description="The seat's four buttons, 1 to 4 from the left, in the order in"
             " which their cards are offered"),
    ] = (1, 2, 3, 4)  # fmt: skip
    scan_start: Annotated[Place, Meta(description="The place in that order at which every scan begins")] = 1
    scan_again: Annotated[
        bool, Meta(description="Whether a press within one more dwell takes back what was picked")
    ] = False
    scan_move: Annotated[Place, Meta(description="With two switches (step): the button that moves on")] = 1

    def __post_init__(self) -> None:
        """Raises ValueError where an order offers a button twice, and so another never."""
        if sorted(self.scan_order) != [1, 2, 3, 4]:
            raise ValueError("scan_order has each of the four buttons once: 1, 2, 3 and 4")

    @property
    def extension_ns(self) -> int:
        """`extension_s` in ns."""
        return _ns(self.extension_s, SECOND)

    @property
    def scanning(self) -> SwitchScanning | None:
        """How the seat scans; None where it plays by buttons."""
        if self.input != "scan":
            return None
        return SwitchScanning(
            way=Way(self.scan_way),
            dwell_ns=_ns(self.scan_dwell_s, SECOND),
            loops=self.scan_loops,
            order=begun_at([place - 1 for place in self.scan_order], self.scan_start - 1),
            again=self.scan_again,
            moving=self.scan_move - 1,
        )


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
    timing: Annotated[
        TimingMode,
        Meta(
            description="race: the first press counts. untimed: cards are laid face down, each in its own time, and"
            " shown together; dead heats then go clockwise or by lots"
        ),
    ] = "race"
    start: Annotated[
        Literal["seen", "spoken"],
        Meta(
            description="spoken: a card that is entered or scanned is spoken first, shown at the end of the word, and"
            " its race opens then; a press before that is too early"
        ),
    ] = "seen"
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


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """How the OLED's picture is drawn, and for whom."""

    letters: Annotated[
        Literal["usual", "large", "simple"],
        Meta(
            description="large: none below 16 pixels high, to be read across the table; what then has no room follows"
            " on further pictures. simple: one short sentence a picture, as large"
        ),
    ] = "usual"
    far: Annotated[
        tuple[Literal["red", "yellow", "green", "blue", "purple"], ...],
        Meta(
            description="Colours whose players sit behind the display: its picture turns toward them while it waits for"
            ' them (["green", "blue"])'
        ),
    ] = ()
    second_address: Annotated[
        int,
        Meta(
            ge=0,
            le=0x77,
            description="Address of a second display of the same kind on the same I2C bus, for the other side of the"
            " table, such as 0x3d. 0: there is none",
            extra={"hex": True},
        ),
    ] = 0
    second_rotate: Annotated[
        Literal[0, 180], Meta(description="Degrees by which the second display is mounted upside down")
    ] = 0


class Buzzer(msgspec.Struct, frozen=True, kw_only=True):
    """The buzzer."""

    kind: Annotated[
        Literal["passive", "active", "none"],
        Meta(description="passive: plays tones. active: has its own tone, so that only the rhythm tells them apart"),
    ] = "passive"


class Sound(msgspec.Struct, frozen=True, kw_only=True):
    """When and how loudly the buzzer sounds. Knob and desk switch it off and on at any time."""

    enabled: Annotated[bool, Meta(description="Whether it sounds at all")] = True
    volume: Annotated[
        int,
        Meta(
            ge=0,
            le=100,
            description="Of a passive buzzer: a soft tone is also a thinner one, and below about 30 no softer where the"
            " pin is driven by gpiod. An active buzzer is as loud as it is. 0: silent",
        ),
    ] = 100
    night: Annotated[
        str,
        Meta(
            pattern=r"^(([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9])?$",
            description='Hours of silence by the clock on the wall, such as "22:00-07:00". "": none',
        ),
    ] = ""
    seat_tones: Annotated[
        bool, Meta(description="Whether each seat's own tone follows what is said of it, to be told with eyes shut")
    ] = True


class Signals(msgspec.Struct, frozen=True, kw_only=True):
    """A lamp and a motor for each seat by an I2C expander on the box, and lamps in its buttons by others."""

    kind: Annotated[
        Literal["none", "pca9685", "mcp23017"],
        Meta(description="The chip: pca9685 sets how bright and how strong, mcp23017 knows on and off"),
    ] = "none"
    i2c_bus: Annotated[int, Meta(ge=0, le=255, description="Number of the I2C bus: 1 is GPIO 2 and 3")] = 1
    i2c_address: Annotated[
        int,
        Meta(ge=0, le=0x77, description="Address on the I2C bus. 0: the chip's usual one, 0x40 or 0x20",
             extra={"hex": True}),
    ] = 0  # fmt: skip
    brightness: Annotated[int, Meta(ge=1, le=100, description="Of the lamps in per cent, with a pca9685")] = 100
    strength: Annotated[int, Meta(ge=1, le=100, description="Of the motors in per cent, with a pca9685")] = 100
    lamps: Annotated[
        Outputs,
        Meta(
            max_length=5,
            description="Outputs of the lamps, of red, yellow, green, blue and purple; -1: this seat has none",
        ),
    ] = msgspec.field(default_factory=lambda: _outputs("lamp"))
    motors: Annotated[Outputs, Meta(max_length=5, description="Outputs of the motors, likewise")] = msgspec.field(
        default_factory=lambda: _outputs("motor")
    )
    button_lamps: Annotated[
        Literal["none", "pca9685", "mcp23017"],
        Meta(description="The chips of the lamps in the box's buttons; those on the header board are pca9685"),
    ] = "none"
    button_addresses: Annotated[
        tuple[Annotated[int, Meta(ge=0x08, le=0x77)], ...],
        Meta(min_length=1, max_length=2,
             description="Their addresses: outputs 0 to 15 of the lamps are on the first, 16 to 31 on the second"),
    ] = (0x40, 0x41)  # fmt: skip
    button_brightness: Annotated[
        int, Meta(ge=1, le=100, description="Of the lamps in the buttons in per cent, with a pca9685")
    ] = 100


def _outputs(outlet: str) -> tuple[int, ...]:
    """Give the outputs of `hardware/pinmap.toml` for "lamp" or "motor", in the order of the colours."""
    channels = built_in_channels()
    return tuple(channels.get(f"{colour} {outlet}", NO_OUTPUT) for colour in Colour)


class Voice(msgspec.Struct, frozen=True, kw_only=True):
    """The voice of the box: what it says aloud, and by what."""

    kind: Annotated[
        Literal["none", "auto", "speech-dispatcher", "espeak-ng"],
        Meta(
            description="What speaks. auto: speech-dispatcher's server where one answers, else espeak-ng by itself."
            " none: nothing does; seats with an earphone still have theirs"
        ),
    ] = "none"
    language: Annotated[
        str,
        Meta(
            pattern="^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*([+][A-Za-z0-9]+)?)?$",
            description='Language that it speaks, or a country\'s own ("en-us"). "": box.language',
        ),
    ] = ""
    device: Annotated[
        str,
        Meta(
            max_length=200,
            description='Sound device, as aplay -L names it ("hw:1"); espeak-ng speaks to it by itself. "": the usual',
        ),
    ] = ""
    rate: Annotated[int, Meta(ge=SLOWEST_WPM, le=FASTEST_WPM, description="How fast it speaks, in words a minute")] = (
        USUAL_WPM
    )
    volume: Annotated[int, Meta(ge=0, le=100, description="How loud it speaks; beside the sound card's own volume")] = (
        80
    )
    pitch: Annotated[int, Meta(ge=0, le=100, description="How high it speaks")] = 50
    wordiness: Annotated[
        Literal["brief", "normal", "full"],
        Meta(
            description="brief: what decides, without times. normal: places and times, too. full: what lies face up and"
            " the scores after each race, too"
        ),
    ] = "normal"
    again: Annotated[
        str,
        Meta(
            pattern="^((red|yellow|green|blue|purple) (first|second|third|fourth))?$",
            description='A button ("purple fourth") of a seat that nobody plays: a press of it says the newest again.'
            ' "": none, the knob and the pages have it',
        ),
    ] = ""


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

    simple: Annotated[
        bool,
        Meta(
            description="Whether pages begin as simple screens: one short sentence at a time, in large letters; each"
            " browser may choose otherwise"
        ),
    ] = False
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


class Evdev(msgspec.Struct, frozen=True, kw_only=True):
    """Linux input devices as buttons: USB switches, pedals, game pads, keyboards (docs/inputs.md)."""

    enabled: Annotated[
        bool, Meta(description="Whether devices that are assigned are read, and buttons can be assigned at the box")
    ] = True
    ask: Annotated[
        bool, Meta(description="Whether a press of a device that has no use is told, so that it can be assigned")
    ] = True
    delay_ms: Annotated[
        int, Meta(ge=5, le=1000, description="Worst delay in ms from the kernel's stamp of a press to its being read")
    ] = 30
    unknown_delay_ms: Annotated[
        int,
        Meta(
            ge=100,
            le=5000,
            description="The most in ms that a device may take which was not measured: no order within that is certain",
        ),
    ] = 500
    press_percent: Annotated[
        int, Meta(ge=30, le=95, description="A stick or trigger is pressed so far from rest, in percent of its way")
    ] = 60


class Scanner(msgspec.Struct, frozen=True, kw_only=True):
    """A barcode, QR or RFID reader that reveals the cards it is shown: at a serial port, one that types, or a PN532."""

    kind: Annotated[
        Literal["serial", "keyboard", "pn532"],
        Meta(description="keyboard: it types each code and Enter, as most do. pn532: that chip, which reads tags"),
    ] = "serial"
    port: Annotated[
        str,
        Meta(
            description="Its serial port, best from /dev/serial/by-id. Of one that types: its device, best from"
            ' /dev/input/by-id, or its model as companion inputs lists it ("usb 1234:5678"). Of a PN532: its'
            ' serial port, or its bus (/dev/i2c-1). "": no scanner'
        ),
    ] = ""
    layout: Annotated[
        Literal["us", "de", "fr", "it"], Meta(description="The keyboard that a scanner which types pretends to be")
    ] = "us"
    baud: Annotated[
        Literal[9600, 19_200, 38_400, 57_600, 115_200], Meta(description="Its speed, as the reader is set")
    ] = 9600
    tags: Annotated[
        Literal["number", "text"],
        Meta(description="A tag's code at a PN532. number: its own. text: what is written on it, else its number"),
    ] = "number"
    prefix: Annotated[str, Meta(max_length=16, description="What it sends before each code, as it is set")] = ""
    deck: Annotated[
        str, Meta(description='File that says which code is which card. "": the printed labels (companion deck labels)')
    ] = ""


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """How an allowance is measured."""

    patience_s: Annotated[
        float,
        Meta(ge=2, le=70, description="A trial waits so long for each seat's press; who has not pressed by then has"
             " none in it. For all seats the same, and far longer than the slowest of them takes"),
    ] = 10.0  # fmt: skip

    @property
    def patience_ns(self) -> int:
        """`patience_s` in ns."""
        return _ns(self.patience_s, SECOND)


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything; `pins` is `hardware/pinmap.toml`, or a `[pins]` table in its place."""

    box: Box = Box()
    source: Source = Source()
    timing: Timing = Timing()
    seats: Seats = Seats()
    match: MatchSettings = msgspec.field(default_factory=MatchSettings)
    display: DisplaySettings = DisplaySettings()
    picture: Picture = Picture()
    buzzer: Buzzer = Buzzer()
    sound: Sound = Sound()
    signals: Signals = msgspec.field(default_factory=Signals)
    voice: Voice = Voice()
    web: Web = Web()
    pods: Pods = Pods()
    evdev: Evdev = Evdev()
    scanner: Scanner = Scanner()
    times: TimesSettings = TimesSettings()
    calibration: Calibration = Calibration()
    event: EventSettings = EventSettings()
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
