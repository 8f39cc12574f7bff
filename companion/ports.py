"""What the core needs from the world, as Protocols. Adapters fulfil them; only `app` brings the two together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from companion.core.match.effects import Sound, Tone, VoiceWish

__all__ = [
    "Announcer",
    "Archive",
    "ButtonSource",
    "Buzzer",
    "Demonstrations",
    "DeskActs",
    "DeskPrints",
    "DeskViews",
    "Display",
    "Document",
    "EventLink",
    "EventStore",
    "EvidenceStore",
    "Intake",
    "Journal",
    "KeepsEdges",
    "KeptPress",
    "Languages",
    "People",
    "Referee",
    "ServiceManager",
    "SetsAside",
    "Signals",
    "Signer",
    "Sound",
    "Speaker",
    "Tone",
    "VoiceWish",
    "WebViews",
]  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from PIL import Image

    from companion.core.errors import CompanionError
    from companion.core.evidence.capture import Captured
    from companion.core.panel import Colour
    from companion.core.play.commands import Command, Done, PreviewForNewCard, PreviewReplace
    from companion.core.play.snapshot import Running, Snapshot
    from companion.core.ruling.replacing import Preview
    from companion.core.shown.own_presses import Phone
    from companion.core.signals.board import Lit
    from companion.core.signals.signs import Sign
    from companion.core.speech.utterance import Heard, Utterance
    from companion.core.timing.events import Press, SourceEvent
    from companion.core.timing.line_health import LineHealth
    from companion.core.words.language import Language
    from companion.tournament.organiser.acts import AnyAct
    from companion.tournament.wire import RecordPart


class ButtonSource(Protocol):
    """Lines that are read by edges. One contract suite runs on every implementation (`tests/contract`).

    Constructors do no I/O. `open` may raise Unavailable. After `open`, `fileno()` becomes readable whenever `read()`
    has something to give. `read` never blocks, never raises for what a line does, and returns events with the source's
    own time stamps, sorted by time; the first thing it gives after `open` is a `Levels` of all lines.
    """

    name: str
    certificate: str | None
    """The SHA-256 of the certificate whose worst difference is within `error_ns`; None where there is none."""

    @property
    def delay_ns(self) -> int:
        """The worst delay from an edge to its being given by `read`, if that is called as soon as it can give it.

        It may change while the source is open.
        """

    @property
    def error_ns(self) -> int:
        """The half-width of the uncertainty that its edges carry at least."""

    @property
    def given_until_ns(self) -> int | None:
        """Every edge up to this instant that had arrived by the last `read` has been given; None: every edge at all.

        An instant while edges that have arrived wait within the source: what is later is not certain yet, however much
        time has passed. CLOCK_MONOTONIC.
        """

    @property
    def remark(self) -> str | None:
        """What a referee should know about how it reads, None where there is nothing."""

    @property
    def is_gone(self) -> bool:
        """Tell whether its device has vanished since `open`; `close` and `open` try again."""

    def open(self) -> None:
        """Claim the lines."""

    def fileno(self) -> int:
        """Give the file descriptor that the event loop watches."""

    def read(self) -> list[SourceEvent]:
        """Give what has happened since the last call."""

    def check(self) -> None:
        """Look for edges that were missed; what is found is given by `read`. Called about once a second."""

    def close(self) -> None:
        """Give the lines back; may be called again."""


@runtime_checkable
class SetsAside(Protocol):
    """A source that can give back single lines that flood, so that they cost the others nothing."""

    def set_aside(self, sick: AbstractSet[str]) -> None:
        """Read these lines, as it calls them, now and then alone, and all others as ever; nothing where it is so."""


class KeepsEdges(Protocol):
    """A source whose devices keep their edges until they are safe, and send them again to a program that begins anew.

    Its edges say where they come from (`Edge.origin`).
    """

    def acknowledge(self, device: str, start: int, number: int) -> None:
        """Every edge before this number of that start of the device is safe. Returns at once; what is not known, and
        less than was said before, changes nothing."""


class Display(Protocol):
    """A monochrome picture surface. `show` may block for the bus's transfer time: the app calls it in a thread."""

    size: tuple[int, int]
    """Width and height in pixels."""

    def open(self) -> None:
        """Raises Unavailable where the chip does not answer."""

    def show(
        self, picture: Image.Image, first: tuple[int, int] = (0, 0), is_stale: Callable[[], bool] = lambda: False
    ) -> None:  # fmt: skip
        """Send a picture of mode "1" and of `size`. Raises Unavailable where the chip has gone; may be tried again.

        first: rows of pixels, the end exclusive, that should be seen before the others. is_stale: true once a newer
        picture is waiting, before which the rest of this one may be left out.
        """

    def close(self) -> None:
        """Blank the display and let go of the bus; never raises."""


class Buzzer(Protocol):
    """Plays tones without blocking; a new tone cuts off the one that sounds, if it is not to follow it."""

    def open(self) -> None:
        """Raises Unavailable where there is no buzzer."""

    def play(self, sound: Sound) -> None:
        """Begin a tone, and then the own tones of the seats that it is about."""

    def close(self) -> None:
        """Fall silent and let go of the pin; may be called again."""


class Signals(Protocol):
    """Lamps and motors of the seats, which know on and off; how strongly is set beforehand.

    The constructor does no I/O. All but `close` may block for the bus's transfer: the app calls it in a thread.
    """

    name: str
    """For people: "lamps and motors at address 0x40 on I2C bus 1"."""
    checks: bool
    """Whether it can vanish in silence, so that `check` is worth being called."""

    def open(self) -> None:
        """Switch everything off. Raises Unavailable where there is none, with how to mend it; may be tried again."""

    def switch(self, on: frozenset[Lit], given: Mapping[Colour, Sign]) -> None:
        """Have these on and all others off; only what has changed goes over a bus.

        given: the sign that each seat is being given right now. Raises Unavailable where it has gone; then `open`.
        """

    def step(self, now_ns: int) -> int | None:
        """Do what is due by itself, as blinking; give when it wants to be called next, None: only once it is told.

        Called after every `switch`, and when `now_ns` has come to what it gave. Raises Unavailable as `switch`.
        """

    def check(self) -> None:
        """See that it is still there, and as `open` has set it up. Raises Unavailable; then `open`."""

    def close(self) -> None:
        """Switch everything off and let go; never raises, may be called again."""


class Speaker(Protocol):
    """A voice that speaks one utterance at a time. One contract suite runs on every implementation.

    The constructor does no I/O. `open` and `say` may block for some tens of milliseconds (a socket, a child process):
    the app calls all of it in a thread of the voice's own, but `stop`, which any thread may call and which returns at
    once. What becomes of an utterance is told by `on_heard`, from any thread; it must not block.
    """

    name: str
    """For people: which voice it is ("speech-dispatcher", "espeak-ng")."""

    def open(self, on_heard: Callable[[Heard], None]) -> str:
        """Be ready to speak, and say in words what speaks: its version, its sound device.

        Raises Unavailable where there is no voice or no sound, with how to mend it; may be tried again after `close`.
        """

    def say(self, utterance: Utterance) -> None:
        """Begin to speak; cuts off what it speaks now.

        Of each utterance exactly one of ENDED, CUT and FAILED is told. Raises Unavailable where the voice has gone:
        then nothing is told of this one, and `close` and `open` try again.
        """

    def stop(self) -> None:
        """Fall silent: what is spoken now is cut off. Does nothing where it is silent."""

    def close(self) -> None:
        """Fall silent and let go of everything; may be called again, and never raises."""


class Announcer(Protocol):
    """Who has the box say what a session wants said. Called in the loop's thread; returns at once, and never raises."""

    def announce(self, says: str, token: int) -> None:
        """Say it; `Session.announced` is told of its end, or why nobody could say it, in the loop's thread."""

    def wish(self, wish: VoiceWish) -> None:
        """Say it again, or speak otherwise from now on."""


class ServiceManager(Protocol):
    """Whoever started the program and watches over it. No method blocks or raises, whether somebody listens or not."""

    watchdog_ns: int | None
    """`alive` must be called at least so often, from what must not hang; None where nobody watches."""

    def ready(self, text: str) -> None:
        """Say that every press from now on is taken; `text` is one line of status."""

    def status(self, text: str) -> None:
        """Say in one line how things are."""

    def alive(self) -> None:
        """Give a sign of life."""

    def stopping(self) -> None:
        """Say that the program is ending on purpose."""

    def close(self) -> None:
        """Say nothing more; may be called again."""


class Journal(Protocol):
    """Durable storage of match records. One contract suite runs on every implementation.

    A line is bytes without a line end. `begin`, `append`, `finish` and `retry` return at once and never fail for what
    the disk does: `on_durable(match_id, count)` is called (from any thread) when the first `count` lines of the match
    are safely stored, `on_fault(text)` (from any thread, once for each new fault) when they cannot be; lines stay
    queued in order and are tried again with every later call. A fault is over when `on_durable` has given all lines.
    """

    def open(self, on_durable: Callable[[int, int], None], on_fault: Callable[[str], None]) -> None:
        """Check what is stored and be ready to store.

        A disk that is full, read-only or broken is a fault (`on_fault`), so that play can go on unrecorded. Raises
        Unavailable only where storing would do harm: another process has it, or a newer version wrote it.
        """

    def begin(self, game: str, lines: Sequence[bytes], boot_id: str | None) -> int:
        """Start a new match with its first lines and give its id (1, 2, …).

        boot_id: names the boot whose monotonic clock the lines' times are on; None where unknown.
        """

    def append(self, match_id: int, line: bytes, *, boot_id: str | None = None) -> None:
        """Queue the next line of a match. Raises UnknownMatch.

        boot_id: names the boot whose clock the times are on from this line on, where it begins a new clock.
        """

    def unfinished(self) -> int | None:
        """Give the newest match's id if it has not been ended, else None."""

    def lines(self, match_id: int) -> list[bytes]:
        """Give all lines of a match in order, the queued ones too. Raises UnknownMatch."""

    def boot_id(self, match_id: int) -> str | None:
        """Give the boot whose clock the newest lines' times are on, None where it was unknown. Raises UnknownMatch."""

    def finish(self, match_id: int) -> None:
        """Mark the match as ended or given up: it is not offered for resuming any more. Raises UnknownMatch."""

    def retry(self) -> None:
        """Try again to store what is queued."""

    def change_lines(self, having: bytes, change: Callable[[bytes], bytes]) -> int:
        """Store another line in the place of each for which `change` gives another; give of how many matches.

        Only lines that contain `having` are given to it. Nothing of the old lines is left in the journal's files. Waits
        for the disk. Raises Unavailable; then nothing has changed.
        """

    def close(self) -> None:
        """Store what is queued and stop."""


class EvidenceStore(Protocol):
    """Durable storage of the raw edges around races, each under the SHA-256 of its bytes.

    `keep` and `retry` return at once and never fail for what the disk does: `on_kept(match_id, captured)` is called
    (from any thread, in the order of `keep`) when it is safely stored, `on_state(text)` (from any thread, once for each
    change) when it cannot be, `on_state(None)` when it can again.
    """

    def open(self, on_kept: Callable[[int, Captured], None], on_state: Callable[[str | None], None]) -> None:
        """Be ready to store, and delete what is too old."""

    @property
    def is_busy(self) -> bool:
        """Tell whether something waits that no fault holds up."""

    def keep(self, match_id: int, captured: Captured) -> None:
        """Have the evidence of a match's race stored."""

    def retry(self) -> None:
        """Try again to store what waits."""

    def close(self) -> None:
        """Store what waits and stop."""


class KeptPress(NamedTuple):
    """An accepted press that is in no record yet: the match that ran, and the boot whose clock its time is on."""

    match_id: int
    boot_id: str | None
    press: Press


class Intake(Protocol):
    """Where an accepted press is kept until it is in a record, so that no kill of the program loses one.

    `take` and `settle` return at once. What is taken is written within 50 ms, so that it survives the process, and then
    brought to the disk; `on_fault` (from any thread) tells where that fails or is slow, and None once it is well.
    """

    def open(
        self,
        on_fault: Callable[[str | None], None],
        on_kept: Callable[[tuple[Press, ...]], None] = ...,
    ) -> tuple[KeptPress, ...]:
        """Give what an earlier run left waiting, in the order of time. Raises Unavailable.

        on_kept: told, from any thread, which presses are written now, so that they survive the process.
        """

    def take(self, kept: KeptPress) -> None:
        """Keep a press."""

    def settle(self, press: Press) -> None:
        """Keep a press no longer: its line is durable, or it was none of a race."""

    def retry(self) -> None:
        """Try again what failed."""

    def close(self) -> None:
        """Write what is queued and stop; may be called again."""


class Signer(Protocol):
    """Whoever signs for the box by Ed25519."""

    @property
    def key(self) -> bytes:
        """Its public key, 32 bytes."""

    def sign(self, data: bytes) -> bytes:
        """Give the signature, 64 bytes."""


Document = dict[str, Any]
"""Plain values, ready for JSON."""


class Sent(NamedTuple):
    """When a command was made: at `t_ns` (None: as it comes) ± `error_ns` (None: nobody can say how surely)."""

    t_ns: int | None = None
    error_ns: int | None = None


UNTIMED = Sent()


class SeenCode(NamedTuple):
    """A code that the camera of a page has read. error_ns: the longest from its picture to its arrival.

    seat: of the phone, None where a referee's page read it.
    """

    code: str
    error_ns: int
    seat: Colour | None = None


class Languages(Protocol):
    """The languages that the program has; asked in any thread."""

    box: Language
    """What the box itself speaks, where nobody says anything else."""

    @property
    def all(self) -> tuple[Language, ...]:
        """Give each of them, English first."""

    def find(self, code: str) -> Language | None:
        """Give a language by its code ("it", "it-CH"), None where the program does not have it."""

    def page_words(self, language: Language) -> dict[str, str | list[str]]:
        """Give what the scripts of the pages say, by its English message; {} for English."""


class Referee(Protocol):
    """Through which commands from elsewhere reach the session, in the thread that it lives in."""

    def ask(
        self, command: Command, answer: Callable[[Done | CompanionError], None], sent: Sent = UNTIMED
    ) -> None:  # fmt: skip
        """Have a command carried out in its turn; may be called from any thread.

        sent: when it was made, for a choice whose instant matters.
        `answer` is called once, in the box's thread: what was done, or why it could not be. Never raises.
        """

    def scan(self, seen: SeenCode, answer: Callable[[Done | CompanionError], None]) -> None:
        """Have the card of a code picked or revealed, as of now; from any thread but the box's own.

        `answer` is called once, as by `ask`; in this thread where the deck cannot be read. Never raises.
        """


class WebNotices(Protocol):
    """What the pages have to say on the box itself; from any thread, returns at once."""

    def alarm(self, key: str, text: str | None) -> None:
        """Something is wrong with the pages (`text` says what), or well again (None)."""

    def note(self, text: str) -> None:
        """Note something in the log, and in the record of the match that runs or the next."""

    def can_show_code(self) -> bool:
        """Tell whether the box has a display of its own."""

    def show_code(self, code: str, asker: str, until_ns: int) -> None:
        """Show a code on the box's own displays and nowhere else, until `until_ns`, as long as no race is on.

        asker: the network address that asked for it.
        """

    def hide_code(self) -> None:
        """Show it no longer."""


class WebViews(Protocol):
    """What a session, a record and a match look like as documents; pure, called in the web server's thread."""

    def state(self, snapshot: Snapshot, match_id: int | None) -> Document:
        """Give the state document."""

    def health(
        self, inputs: Iterable[LineHealth], now_ns: int, running: Running | None, phones: Collection[Colour]
    ) -> Document:
        """Give how each input is, unless that would say who presses. phones: the seats that phones play."""

    def course(self, running: Running) -> list[Document]:
        """Give the whole course of a match, newest first."""

    def event(self, running: Running, index: int) -> tuple[Document, tuple[Document, ...], tuple[str, ...]]:
        """Give entry `index` of a course: the line as everybody may have it, its rulings, both in sentences."""

    def record(self, running: Running, match_id: int | None) -> Document:
        """Give what of the record can be replaced."""

    def preview(self, running: Running, command: PreviewReplace | PreviewForNewCard) -> Document:
        """Give what a replacement would lead to. Raises what the command raises."""

    def replaced(self, running: Running, preview: Preview) -> Document:
        """Give what a replacement led to."""

    def games(self) -> list[Document]:
        """Give the games that can be played."""

    def words(self) -> Document:
        """Give what the words on the pages mean."""

    def look(self, name: str) -> Document:
        """Give how a game's things look: symbols, cards, buttons. Raises UnknownGame."""

    def steps(self, running: Running, kind: str, seat: Colour | None, chosen: tuple[str, ...]) -> Document:
        """Give the next field of a choice of many fields. Raises Illegal."""

    def secrets(self, snapshot: Snapshot, seat: Colour | None) -> list[Document]:
        """Give the private choices of a seat: to be sent to whoever plays it, and to nobody else."""

    def player(self, snapshot: Snapshot | None, phone: Phone) -> Document:
        """Give all that a player's page says: to be sent to that page, and to no other. None: before any state."""

    def hides(self, running: Running) -> bool:
        """Tell whether the record of a running match says what not everybody may know yet."""

    def open_lines(self, running: Running) -> int:
        """Tell how many lines of a running match everybody may see now."""

    def cut_off(self, lines: Sequence[bytes]) -> tuple[int, bool]:
        """Tell of the record of a match that may be taken up again: `open_lines` and `hides` of it as it stands."""

    def match(self, lines: Iterable[bytes]) -> Document:
        """Give a past match, judged again."""

    def strip(
        self,
        lines: Iterable[bytes],
        race: int,
        find_evidence: Callable[[str], bytes | None],
        width: int | None,
        *,
        lanes: bool = False,
        language: Language = ...,
    ) -> str:
        """Draw a race as a photo finish, as SVG; width in pixels, None for the usual. Raises what `strip_of` raises.

        lanes: nothing but those, without order, contacts and notes. language: of its words; English where it is not
        said.
        """

    def oled(self, snapshot: Snapshot, shown_ns: int) -> Image.Image:
        """Draw the OLED's picture as everybody may see it, mode "1". shown_ns: for how long it has stood: of several
        pictures, that one's turn has come."""


class Archive(Protocol):
    """The stored matches, for reading. Called in a thread of the web server's own; may block."""

    def matches(self) -> list[Document]:
        """Give all matches, the newest first. Raises Unavailable, where they cannot be read (locked, damaged) too."""

    def lines(self, match_id: int) -> list[bytes]:
        """Give a match's record without line ends. Raises UnknownMatch, Unavailable."""

    def evidence(self, sha256: str) -> bytes | None:
        """Give the evidence stored under a hash, None where there is none. Raises Unavailable."""


class People(Protocol):
    """Who plays here: names that stay, and what the stored matches say of them. Called in a thread; may block.

    All of it raises Unavailable where list or matches cannot be read or written; nothing has changed then. What names
    somebody or something that is not there raises UnknownPerson. except_: matches that are not to be looked at yet.
    """

    def names(self) -> list[str]:
        """Give everybody's name, in alphabetical order."""

    def overview(self, except_: frozenset[int]) -> Document:
        """Give the list of players, standings, evenings and links."""

    def person(self, name: str, except_: frozenset[int]) -> Document:
        """Give a person's sheet."""

    def evening(self, evening: str, except_: frozenset[int]) -> Document:
        """Give an evening's sheet. evening: its date."""

    def shared(self, token: str, except_: frozenset[int]) -> Document:
        """Give the sheet that a link shows."""

    def result(self, match_id: int, lines: Sequence[bytes]) -> Document:
        """Give the sheet of a match's result. Raises Illegal where it has none yet."""

    def pdf(self, document: Document, language: Language) -> bytes:
        """Give a sheet as PDF, in a language. Raises Unavailable where this box makes none."""

    def exported(self, kind: str, except_: frozenset[int]) -> bytes:
        """Give all matches with what everybody did in them. kind: "csv" or "jsonl"."""

    def add(self, names: Iterable[str]) -> None:
        """Put names on the list; those that are on it stay as they are. Raises Malformed, Illegal."""

    def rename(self, old: str, new: str) -> str:
        """Change a name on the list and in every stored record; give what was done, in a sentence."""

    def remove(self, name: str) -> str:
        """Take a name off the list and out of every stored record, with the links to it; give what was done."""

    def share(self, person: str | None, evening: str | None) -> Document:
        """Give a new link to a person's sheet, or to an evening's."""

    def unshare(self, token: str) -> None:
        """Take a link back."""


class GameFile(NamedTuple):
    """A text for a game's parameter."""

    game: str
    key: str
    text: str


class GameFiles(Protocol):
    """The files that games ask for: those that come along, and those that the box keeps. Called in a thread; may block.

    All of it raises UnknownFile where no game asks for such a file. A text may be anything that somebody has typed.
    """

    def overview(self) -> Document:
        """Give every parameter that is a file, with the files there are for it."""

    def read(self, game: str, key: str, name: str) -> Document:
        """Give a file whole. Raises UnknownFile where there is none of this name."""

    def check(self, game: str, key: str, text: str) -> Document:
        """Give all that is wrong with a text."""

    def save(self, game: str, key: str, name: str, text: str, seen: str | None) -> Document:
        """Keep a text under a name, durably; give how it is kept. seen: what was kept there before, as `read` told.

        Raises Changed where another is kept there by now, Malformed for a name or a size that cannot be, Illegal where
        there is no room, Unavailable where it cannot be stored; then nothing has changed.
        """

    def remove(self, game: str, key: str, name: str, seen: str) -> str:
        """Keep a file no longer, and say so. Raises Changed, Unavailable."""

    def rehearse(self, file: GameFile, seats: Sequence[Colour], steps: Sequence[Any], asks: Any = None) -> Document:
        """Play a match that is kept nowhere. steps: all that happens in it. Raises what a match cannot begin with.

        asks: of which choice of many fields the next is to be told, None for none.
        """

    def dry_run(self, game: str, key: str, text: str, lines: Sequence[bytes]) -> Document:
        """Judge a record by a text, beside what was ruled. Raises Malformed for a text with a fault."""


class Demonstrations(Protocol):
    """Short matches to look at, step by step. Called in a thread of the web server's own; may take a second."""

    def games(self) -> list[Document]:
        """Give name and title of each game that has one, the usual one first."""

    def scenes(self, game: str) -> Document:
        """Give a game's: the state document of each step, with its caption. Raises UnknownGame where there is none,
        Unavailable where it cannot be read."""


class EventStore(Protocol):
    """Durable storage of one event at its desk: its log, and the lines of boxes' records.

    One contract suite runs on every implementation. Every method may block for the disk or a server; what returns has
    been made durable, and what raises has changed nothing. One thread uses it at a time.
    """

    def open(self) -> None:
        """Be ready; bring an older store to this version. Raises Unavailable (no server, in use, newer)."""

    def entries(self) -> list[bytes]:
        """Give the event's log, its lines without ends of line."""

    def append(self, first: int, lines: Sequence[bytes]) -> None:
        """Add lines to the log, all or none. first: the number that the first gets.

        Raises Illegal where the log does not end just before it.
        """

    def keep(self, parts: Sequence[tuple[str, RecordPart]]) -> list[tuple[str, RecordPart]]:
        """Store lines of records, each of a box, once by (box, match, number); give those that contradict.

        A line that is stored already is left as it is: one that is the same, or `names` in the place of `names`, counts
        as stored again; another is given back, and kept aside: the record is `contradicted` from then on.
        """

    def contradicted(self) -> set[tuple[str, str]]:
        """Give by box and match the records of which ever another line came than the one that is stored."""

    def held(self) -> dict[tuple[str, str], int]:
        """Give by box and match how many lines are there from the first on without a gap."""

    def record(self, box: str, match: str) -> list[bytes]:
        """Give the lines of a record from the first on without a gap; none where there are none."""

    def close(self) -> None:
        """Let go of it; may be called again."""


class EventLink(Protocol):
    """A connection to an event's broker that is kept up for as long as it runs, in the event loop of its thread."""

    async def run(self) -> None:
        """Connect, subscribe, hand on what comes, and connect again after a loss, until cancelled."""

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Send by QoS 1; returns when the broker has it. Raises Unavailable where there is no connection, or it ends
        before that: it may have arrived all the same."""


class DeskViews(Protocol):
    """What the pages of a tournament's desk show: plain documents, with texts in them that are said in any language.

    Nothing is given that is not stored. In the desk's event loop.
    """

    async def part(self, name: str) -> Document:
        """Give a part as it is now: "event", "tables", "pairings", "standings" for everybody; "players", "boxes",
        "rounds", "disputes", "notes" for those who run the event. Raises KeyError where there is none so called."""

    async def rows(self, places: Collection[tuple[int, int]]) -> list[Document]:
        """Give those tables of the newest round that are among the places, by round and number."""

    async def pairings(self, number: int) -> Document:
        """Give who sat where in a round. Raises Illegal where it is not drawn."""

    async def player(self, number: int) -> Document:
        """Give a player's way. Raises Illegal where there is none of this number."""

    async def swap(self, number: int, one: int, other: int) -> Document:
        """Give what it would make of the newest drawing that two change places. Raises Illegal."""

    async def account(self, place: tuple[int, int], match: str, line: int) -> Document:
        """Give what a record says of a protest, by its line. place: round and table. Raises Illegal, Unavailable."""

    async def signs(self) -> dict[str, Any]:
        """Give by part what changes with its document; those that are not named change at any time."""

    def on_change(self, call: Callable[[frozenset[tuple[int, int]]], None]) -> Callable[[], None]:
        """Call this after each change, with the tables that have changed, by round and number; gives what ends it."""


class DeskActs(Protocol):
    """What people do at a tournament's desk. What returns is stored, and what raises has changed nothing."""

    async def do(self, act: AnyAct) -> str:
        """Do something, and say what was done. Raises Illegal, Malformed, Unavailable."""

    async def import_players(self, text: str) -> str:
        """Enter the players of a CSV file, all or none, and say how many. Raises Malformed, Illegal, Unavailable."""

    async def export_players(self) -> bytes:
        """Give all players as a CSV file. Raises Unavailable."""

    async def archive(self) -> bytes:
        """Give the event's file, which anybody can check. Raises Unavailable."""


class DeskPrints(Protocol):
    """What can be printed of an event, as PDF."""

    async def all(self) -> list[Document]:
        """Give each with "key", "title" and "round", None where it is of no round; as it stands now."""

    async def pdf(self, key: str, paper: str, number: int | None, language: Language) -> bytes:
        """Draw one. paper: "A4" or "Letter"; number: of the round, None: the newest. Raises Illegal, Unavailable."""
