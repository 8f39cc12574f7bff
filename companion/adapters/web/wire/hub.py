"""What goes out to everybody: each change is written as JSON once for each language that is spoken, and handed to every
connection's own small queue.

A connection is never waited for. Of the state and the OLED's picture only the newest is kept; events are kept in order
up to `MOST_WAITING`, then the connection is given up as too slow. Runs in the web server's loop; knows no socket.
"""

from __future__ import annotations

import asyncio
import base64
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion.adapters.web.wire.messages import EventMessage, Hello, OledMessage, SoundMessage
from companion.adapters.web.wire.worded import Worded
from companion.core.play.snapshot import as_of, is_ticking, is_withheld
from companion.core.shown.own_presses import ahead
from companion.core.words.encoding import encode
from companion.core.words.language import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PIL import Image

    from companion.core.panel import Colour
    from companion.core.play.snapshot import Snapshot
    from companion.core.profiles.profile import Profile
    from companion.core.shown.cued import SwitchNow
    from companion.core.shown.own_presses import OwnPress
    from companion.core.timing.line_health import LineHealth
    from companion.core.words.language import Language
    from companion.ports import Sound, WebViews

MOST_WAITING = 256
"""Events and answers that may wait for one connection."""
REMEMBERED = 512
"""Events that can be asked for again after a lost connection."""

Message = bytes | Worded | Callable[[], bytes]
"""In the language it is in; in each connection's own; or called at the moment of sending."""


def nothing() -> None:
    """Do nothing: a connection that is sent what everybody is."""


class Connection:
    """The queue of one WebSocket. Whoever sends calls `wait` and then `take`, again and again.

    on_change: called before each new state is sent, so that what is for this connection alone can go before it.
    language: what everything is said in.
    """

    def __init__(self, *, oled: bool = False, is_panel: bool = False, language: Language = ENGLISH) -> None:
        self.language = language
        self.wants_oled = oled
        self.is_panel = is_panel
        self.on_change: Callable[[], None] = nothing
        self.is_too_slow = False
        self._ordered: deque[Message] = deque()
        self._state: Worded | None = None
        self._oled: bytes | None = None
        self._wake = asyncio.Event()

    def put(self, message: Message) -> None:
        """Queue a message that must arrive, in order."""
        if len(self._ordered) >= MOST_WAITING:
            self.is_too_slow = True
            self._ordered.clear()
        elif not self.is_too_slow:
            self._ordered.append(message)
        self._wake.set()

    def put_state(self, message: Worded) -> None:
        """Have the newest state sent."""
        self._state = message
        self._wake.set()

    def put_oled(self, message: bytes) -> None:
        """Have the newest picture sent."""
        self._oled = message
        self._wake.set()

    async def wait(self) -> None:
        """Wait until there is something to take."""
        await self._wake.wait()
        self._wake.clear()

    def take(self) -> bytes | None:
        """Give the next message, None where there is none."""
        if self._ordered:
            message = self._ordered.popleft()
            if isinstance(message, bytes):
                return message
            return message.said(self.language) if isinstance(message, Worded) else message()
        if self._state is not None:
            state, self._state = self._state, None
            return state.said(self.language)
        picture, self._oled = self._oled, None
        return picture


class Hub:
    """Everything that is sent to all. box: names this start of the program; seq: the number of the newest event.

    phones: gives the seats that phones play. withheld_id: the match of which more is known than may be sent, because
    phones race; None where there is none. inputs: how each of them is, for whoever asks. switches: what seats that scan
    are offered, each for itself. phone_seats: that phones played when it was last asked. profiles: of those who play by
    one, each for its own seat's panel alone. clock: CLOCK_MONOTONIC in nanoseconds, by which a game's clocks are told.
    """

    def __init__(
        self,
        views: WebViews,
        box: str,
        *,
        simulated: bool,
        extras: Callable[[], dict[str, Any]] = dict,
        phones: Callable[[], frozenset[Colour]] = frozenset,
        clock: Callable[[], int] = lambda: 0,
    ) -> None:
        self.box, self.simulated = box, simulated
        self.seq = 0
        self.connections: set[Connection] = set()
        self.snapshot: Snapshot | None = None
        self.match_id: int | None = None
        self.withheld_id: int | None = None
        self._ahead: dict[Colour, OwnPress] = {}  # presses newer than the snapshot, each for its own seat alone
        self.inputs: tuple[LineHealth, ...] = ()
        self.switches: tuple[SwitchNow, ...] = ()
        self.phone_seats: frozenset[Colour] = frozenset()
        self.profiles: Mapping[Colour, Profile] = {}
        self.phones: frozenset[Colour] = frozenset()  # whole, for the loop's thread
        self._views, self._extras, self._phones, self._clock = views, extras, phones, clock
        self._events: deque[tuple[int, Worded]] = deque(maxlen=REMEMBERED)
        self._told: tuple[int | None, int] = (None, 0)  # match, and how many of its lines have been told
        self._document = Worded({})
        self._message: Worded | None = None
        self._picture = b""
        self._oled_message: bytes | None = None

    def document(self, language: Language) -> bytes:
        """Give the state document as JSON, with clocks that run as they stand now."""
        self._age()
        return self._document.said(language)

    @property
    def picture(self) -> Image.Image | None:
        """The OLED's picture as everybody may see it, drawn when it is asked for; None before the first state."""
        if self.snapshot is None:
            return None
        now_ns = self._clock()
        return self._views.oled(as_of(self.snapshot, now_ns), now_ns - self.snapshot.now_ns)

    def publish(self, snapshot: Snapshot, match_id: int | None, tones: tuple[Sound, ...] = ()) -> None:
        """Tell everybody what there is now: new events, the state, the picture. Nothing while phones race."""
        is_secret = is_withheld(self.snapshot, snapshot, self._phones())
        self.withheld_id = match_id if is_secret else None
        if is_secret:
            self._tell_own(snapshot)
            return
        self._ahead = {}
        self.snapshot, self.match_id = snapshot, match_id
        self._tell_events(snapshot, match_id)
        self.refresh()
        for tone, seats, follows in tones:
            message = encode(SoundMessage(tone=tone, seats=seats, follows=follows))
            for connection in self.connections:
                if connection.is_panel:
                    connection.put(message)
        self._show_oled()

    def _tell_own(self, snapshot: Snapshot) -> None:
        """Let each panel tell its seat what became of its own press, and nothing of the others'."""
        shown = self.snapshot.own_presses if self.snapshot is not None else ()
        for press in ahead(shown, snapshot.own_presses):
            known = self._ahead.get(press.colour)
            if known is None or known.number != press.number:  # once told, it says no more until all may be seen
                self._ahead[press.colour] = press
        for connection in self.connections:
            if connection.is_panel:
                connection.on_change()

    def tell_own(self) -> None:
        """Let each panel tell its seat what is for it alone, also while nothing else is told."""
        for connection in self.connections:
            if connection.is_panel:
                connection.on_change()

    def own_press(self, seat: Colour | None) -> tuple[OwnPress | None, bool]:
        """Give a seat's newest press, for that seat alone, and whether it is newer than the state that is shown."""
        if seat in self._ahead:
            return self._ahead[seat], True
        presses = self.snapshot.own_presses if self.snapshot is not None else ()
        return next((press for press in presses if press.colour is seat), None), False

    def refresh(self) -> None:
        """Send the state again: something beside the match has changed (phones)."""
        self.phones = self._phones()
        if self.snapshot is None:
            return
        self._write(as_of(self.snapshot, self._clock()))
        for connection in self.connections:
            connection.on_change()
            if self._message is not None:
                connection.put_state(self._message)

    def tick(self) -> None:
        """Send the OLED's picture again where it shows something else by now: a clock, or the next of several."""
        if self.snapshot is not None and self.withheld_id is None:
            self._show_oled()

    def _write(self, snapshot: Snapshot) -> None:
        """Write the state document."""
        head = {"seq": self.seq, "box": self.box, "simulated": self.simulated}
        state = self._views.state(snapshot, self.match_id)
        self._document = Worded({**head, **state, **self._extras()})
        self._message = self._document.within(b'{"type":"state","state":', b"}")

    def _age(self) -> None:
        """Write it anew where it has grown old: a clock runs in it."""
        if self.snapshot is not None and is_ticking(self.snapshot):
            self._write(as_of(self.snapshot, self._clock()))

    def join(self, connection: Connection, since: int | None, box: str | None, *, referee: bool) -> None:
        """Add a connection: hello, the events after `since` if they are still known, then the state."""
        oldest = self._events[0][0] if self._events else self.seq + 1
        resumed = since is not None and box == self.box and oldest - 1 <= since <= self.seq
        hello = Hello(box=self.box, seq=self.seq, resumed=resumed, referee=referee, simulated=self.simulated)
        connection.put(encode(hello))
        for seq, message in self._events:
            if resumed and since is not None and seq > since:
                connection.put(message)
        self._age()
        if self._message is not None:
            connection.put_state(self._message)
        self.connections.add(connection)
        if connection.wants_oled:
            self.watch(connection, oled=True)

    def forget_events(self) -> None:
        """Keep no event that was told: whoever comes back has to rely on the state."""
        self._events.clear()

    def leave(self, connection: Connection) -> None:
        """Forget a connection."""
        self.connections.discard(connection)

    def watch(self, connection: Connection, *, oled: bool) -> None:
        """Begin or stop to send the OLED's picture to a connection."""
        connection.wants_oled = oled
        if oled and self.snapshot is not None:
            if self._oled_message is None:
                self._draw()
            if self._oled_message is not None:
                connection.put_oled(self._oled_message)

    def _tell_events(self, snapshot: Snapshot, match_id: int | None) -> None:
        running = snapshot.match
        if running is None:
            return
        told = self._told[1] if self._told[0] == match_id else 0
        for index in range(told, running.shown):
            self.seq += 1
            entry = running.history[index]
            content, rulings, says = self._views.event(running, index)
            message = EventMessage(
                seq=self.seq, match=match_id, line=entry.number, content=content, rulings=rulings, says=says
            )
            if self._events:
                self._events[-1][1].forget()
            self._events.append((self.seq, Worded(message)))
            for connection in self.connections:
                connection.put(self._events[-1][1])
        self._told = (match_id, max(told, running.shown))

    def _show_oled(self) -> None:
        watching = [connection for connection in self.connections if connection.wants_oled]
        self._oled_message = None
        if not watching:
            return
        before = self._picture
        self._draw()
        if self._picture != before and self._oled_message is not None:
            for connection in watching:
                connection.put_oled(self._oled_message)

    def _draw(self) -> None:
        picture = self.picture
        if picture is None:
            return
        self._picture = picture.tobytes()
        bits = base64.b64encode(self._picture).decode()
        self._oled_message = encode(OledMessage(width=picture.width, height=picture.height, bits=bits))
