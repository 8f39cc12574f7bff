"""The WebSocket `/ws`: what the box tells everybody as it happens, and what panels tell the box.

A faulty message is answered by an `error` and changes nothing else. Nobody is waited for: each connection has its own
queue (`hub`), and one that does not take what it is sent is given up.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from companion.adapters.web.access.callers import caller_of, is_near
from companion.adapters.web.api import token_of
from companion.adapters.web.limits.allowance import Allowance
from companion.adapters.web.limits.protocols import GUEST
from companion.adapters.web.phones.panel_source import DEAD_NS
from companion.adapters.web.phones.places import Shut, Visitor
from companion.adapters.web.spoken.choosing import language_of
from companion.adapters.web.wire import messages
from companion.adapters.web.wire.hub import Connection, nothing
from companion.core.errors import CompanionError, Illegal
from companion.core.play.commands import Choose, EnterCard, MakeProtest, PickItem, PlayNone, SignResult, SitDown
from companion.core.profiles.sitting import card_typed
from companion.core.shown.own_presses import Phone
from companion.core.timing.events import MS, SECOND
from companion.core.words.encoding import encode, encoder
from companion.core.words.texts import in_language, plain, text
from companion.ports import UNTIMED, SeenCode, Sent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.websockets import WebSocket

    from companion.adapters.web.api import Desk
    from companion.adapters.web.limits.guests import Guest
    from companion.adapters.web.phones.panel_source import Panel, Taken
    from companion.core.panel import Colour
    from companion.core.play.commands import Command, Done
    from companion.core.profiles.kept import KeptProfiles
    from companion.core.profiles.profile import Profile
    from companion.core.shown.cued import SwitchNow
    from companion.ports import Languages

MOST_A_SECOND = 100
"""Messages a second that a connection may send; it may save up as many."""
SEND_S = 10.0
"""A connection that takes nothing for so long is given up."""
BURST_S, BURSTS = 0.05, 6
"""Round trips at the beginning, so that a clock is known soon."""
SYNC_S = 0.5

POLICY_VIOLATION, TRY_AGAIN_LATER = 1008, 1013

DEAD_S = DEAD_NS / SECOND + 0.1
"""Then a panel that has gone may be listed no more."""
_NO_SECRET = messages.SecretMessage(seat=None, choices=())
_NO_SWITCH = messages.SwitchMessage()
_NO_WISHES = messages.WishesMessage()
_decode = msgspec.json.Decoder(messages.AnyToBox).decode


@dataclass(slots=True)
class Told:
    """What a connection was told last of what is for it alone. None: nothing yet."""

    panel: messages.PanelMessage | None = None
    secret: messages.SecretMessage = _NO_SECRET
    switch: messages.SwitchMessage = _NO_SWITCH
    wishes: messages.WishesMessage = _NO_WISHES
    me: messages.MeMessage | None = None


class Live:
    """One WebSocket. clock: CLOCK_MONOTONIC in nanoseconds, the sources' clock."""

    def __init__(self, desk: Desk, socket: WebSocket, clock: Callable[[], int]) -> None:
        self._desk, self._socket, self._clock = desk, socket, clock
        language = language_of(socket, desk.languages)
        self._connection = Connection(oled=socket.query_params.get("oled") == "1", language=language)
        self._token = token_of(socket)
        self._told_rights = self._is_referee()
        self._panel: Panel | None = None
        self._joined = 0
        self._syncing: asyncio.Task[None] | None = None
        self._allowance = Allowance(MOST_A_SECOND, MOST_A_SECOND, clock())
        self._told = Told()
        guest: Guest = socket.scope["state"][GUEST]
        guest.is_kept = self._is_kept

    def _is_kept(self) -> bool:
        """Tell whether the connection stays where places are scarce: a referee's, and one that plays a seat."""
        panel = self._panel
        return self._is_referee() or (panel is not None and panel.seat is not None and self._is_mine(panel))

    async def serve(self) -> None:
        """Talk until the other side goes, or is given up."""
        hub = self._desk.hub
        await self._socket.accept()
        since = self._socket.query_params.get("since", "")
        hub.join(
            self._connection,
            int(since) if since.isascii() and since.isdecimal() and len(since) <= 18 else None,
            self._socket.query_params.get("box"),
            referee=self._told_rights,
        )
        self._connection.on_change = self._show_changes
        sending = asyncio.create_task(self._send())
        receiving = asyncio.create_task(self._receive())
        try:
            await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            hub.leave(self._connection)
            self._connection.on_change = nothing
            tasks = [task for task in (sending, receiving, self._syncing) if task is not None]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._syncing = None  # a task that was cancelled knows where it was: here
            if self._panel is not None:
                self._desk.panels.leave(self._panel, self._joined)
                asyncio.get_running_loop().call_later(DEAD_S, self._desk.panels.on_change)

    # -- out ---------------------------------------------------------------------------------------------------------

    async def _send(self) -> None:
        """Send what is queued. Ends where the other side is too slow, or gone."""
        connection, socket = self._connection, self._socket
        while True:
            await connection.wait()
            try:
                async with asyncio.timeout(SEND_S):
                    while (message := connection.take()) is not None:
                        await socket.send({"type": "websocket.send", "text": message.decode()})
                    if connection.is_too_slow:
                        await socket.close(TRY_AGAIN_LATER, "too slow: too much was waiting")
                        return
            except TimeoutError:
                return

    def _is_referee(self) -> bool:
        """Tell whether the session that this socket came with is the referee's now: asked at each act, never kept."""
        return self._desk.guard.is_referee(self._token)

    def _show_changes(self) -> None:
        """Tell what is for this connection alone, before the state that everybody is told."""
        if self._told_rights and not self._is_referee():  # no session that has ended begins again
            self._told_rights = False
            self._tell(messages.RightsMessage(referee=False))
        self._show_own()

    def _tell(self, message: messages.FromBox) -> None:
        self._connection.put(encoder(self._connection.language)(message))

    def _refuse(self, code: str, text: str) -> None:
        self._tell(messages.ErrorMessage(code=code, message=text))

    # -- in ----------------------------------------------------------------------------------------------------------

    async def _receive(self) -> None:
        while True:
            message = await self._socket.receive()
            received_ns = self._clock()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            raw = text.encode() if text is not None else message.get("bytes") or b""
            is_read = self._take(raw, received_ns)
            # whoever has much to say lets others speak, too; who says too much is read no faster than it may speak
            await asyncio.sleep(0 if is_read else 1 / MOST_A_SECOND)

    def _take(self, raw: bytes, received_ns: int) -> bool:
        """Take a message; tell whether it was read."""
        if self._allowance.take(received_ns):
            self._read(raw, received_ns)
            return True
        if self._allowance.warn(received_ns):
            self._refuse("throttled", f"more than {MOST_A_SECOND} messages a second: some are not read")
        return False

    def _read(self, raw: bytes, received_ns: int) -> None:
        if len(raw) > messages.LARGEST_MESSAGE:
            self._refuse("too_large", f"the message is larger than {messages.LARGEST_MESSAGE} bytes")
            return
        try:
            message = _decode(raw)
        except (ValueError, RecursionError) as error:
            self._refuse("malformed", str(error))
            return
        try:
            self._do(message, received_ns)
        except CompanionError as error:
            self._refuse("shut" if isinstance(error, Shut) else "illegal", str(error))

    def _do(self, message: Any, received_ns: int) -> None:
        match message:
            case messages.Ping():
                self._tell(messages.Pong())
            case messages.Watch():
                self._desk.hub.watch(self._connection, oled=message.oled)
            case messages.JoinPanel():
                self._join(message)
            case messages.SyncAnswer() | messages.TriedMessage() | messages.LeaveMessage():
                if self._is_mine(self._panel) and self._panel is not None:
                    self._take_of(self._panel, message, received_ns)
            case (
                messages.ProtestMessage()
                | messages.SignMessage()
                | messages.CardMessage()
                | messages.SitMessage()
                | messages.NoneMessage()
                | messages.ScanMessage()
            ):
                self._say_for_seat(message)
            case messages.ChooseMessage() | messages.PickMessage():
                self._say_for_seat(message, received_ns)
            case _:
                self._input(message, received_ns)

    # -- a panel -----------------------------------------------------------------------------------------------------

    def _join(self, message: messages.JoinPanel) -> None:
        panel = self._panel
        if panel is not None and self._is_mine(panel) and message.client in (None, panel.secret):
            self._desk.panels.ask(panel, message.asks)
        else:
            if not self._may_join(message):
                self._refuse("throttled", text("too many panels from one address: wait a few seconds"))
                return
            self._join_anew(message)
        self._connection.is_panel = True
        self._told.panel = self._told.me = None
        self._show_own()

    def _may_join(self, message: messages.JoinPanel) -> bool:
        """Tell whether it has a place to come back to, or its address has not had too many new ones of late."""
        caller = caller_of(self._socket)
        if is_near(caller) or self._desk.panels.knows(message.client):
            return True
        return self._desk.panel_quota.take(caller, self._clock())

    def _join_anew(self, message: messages.JoinPanel) -> None:
        """Be a panel, or another one than before. Raises Shut, NoRoom: it is none then."""
        before, self._panel = self._panel, None
        if self._syncing is not None:
            self._syncing.cancel()
        if before is not None:
            self._desk.panels.leave(before, self._joined)
        caller = caller_of(self._socket)
        visitor = Visitor(caller, is_near(caller), self._is_referee)
        self._panel = self._desk.panels.join(message.client, message.asks, visitor)
        self._joined = self._panel.connection
        self._syncing = asyncio.create_task(self._keep_time(self._panel))

    def _is_mine(self, panel: Panel | None) -> bool:
        """Tell whether this is still the newest connection of its panel."""
        return panel is not None and panel.why_not(self._joined) is None

    async def _keep_time(self, panel: Panel) -> None:
        """Measure round trips as long as the connection lasts."""
        sent = 0
        while self._is_mine(panel):
            self._connection.put(lambda: encode(messages.Sync(id=self._desk.panels.ask_time(panel))))
            sent += 1
            await asyncio.sleep(BURST_S if sent < BURSTS else SYNC_S)
            self._show_panel()
        self._refuse("place_lost", panel.why_not(self._joined) or "")

    def _show_own(self) -> None:
        """Tell a panel what is for it alone, where that has changed."""
        self._show_panel()
        self._show_secret()
        self._show_switch()
        self._show_wishes()
        self._show_me()

    def _show_panel(self) -> None:
        """Tell a panel what it is, where that has changed."""
        panel, panels = self._panel, self._desk.panels
        if panel is None or not self._is_mine(panel):
            return
        error_ns = panels.error_ns(panel)
        message = messages.PanelMessage(
            client=panel.secret,
            code=panel.code,
            buttons=tuple(panels.buttons(panel)),
            seat=panel.seat,
            asks=panel.asks,
            error_ms=None if error_ns is None else round(error_ns / MS, 1),
            delay_ms=panels.delay_ns(is_near=panel.is_near) // MS,
            ready=panels.is_ready(panel, self._clock()),
            next=panel.next_number,
            step_ms=panel.clock.steps.step_us / 1000,
            touch_ms=None if panel.clock.touch_us is None else panel.clock.touch_us / 1000,
        )
        shown = self._told.panel
        if shown is None or msgspec.structs.replace(shown, next=message.next) != message:
            self._told.panel = message
            self._tell(message)

    def _show_secret(self) -> None:
        """Tell a panel the private choices of the seat it plays, where they have changed: it alone."""
        panel, desk = self._panel, self._desk
        seat = desk.panels.plays(panel) if panel is not None and self._is_mine(panel) else None
        snapshot = desk.hub.snapshot
        choices = tuple(desk.views.secrets(snapshot, seat)) if snapshot is not None else ()
        secret = messages.SecretMessage(seat=seat if choices else None, choices=choices)
        if secret != self._told.secret:
            self._told.secret = secret
            self._tell(secret)

    def _show_switch(self) -> None:
        """Tell a panel what the seat it plays is offered, where that scans: it alone."""
        panel, desk = self._panel, self._desk
        seat = desk.panels.plays(panel) if panel is not None and self._is_mine(panel) else None
        message = switch_message(desk.hub.switches, seat)
        if message != self._told.switch:
            self._told.switch = message
            self._tell(message)

    def _show_wishes(self) -> None:
        """Tell a panel how whoever plays its seat by a profile wants to be told: it alone."""
        panel, desk = self._panel, self._desk
        seat = desk.panels.plays(panel) if panel is not None and self._is_mine(panel) else None
        message = wishes_message(desk.hub.profiles, seat, desk.languages)
        if message != self._told.wishes:
            self._told.wishes = message
            self._tell(message)

    def _show_me(self) -> None:
        """Tell a panel what its player's page says: it alone."""
        panel, desk = self._panel, self._desk
        if panel is None or not self._is_mine(panel):
            return
        seat = desk.panels.plays(panel)
        press, is_ahead = desk.hub.own_press(seat)
        phone = Phone(seat, panel.code, panel.asks, panel.note, desk.panels.others(panel), press, is_ahead)
        me = messages.MeMessage(**desk.views.player(desk.hub.snapshot, phone))
        if self._told.me is None or encode(me) != encode(self._told.me):
            self._told.me = me
            self._tell(me)

    def _take_of(self, panel: Panel, message: Any, received_ns: int) -> None:
        """Take what a panel says of itself."""
        match message:
            case messages.SyncAnswer():
                self._desk.panels.time_told(panel, message.id, message.t_us, received_ns)
            case messages.TriedMessage():
                panel.clock.tried(message.step_us, message.touch_us)
            case messages.LeaveMessage():
                self._desk.panels.stand_up(panel)

    def _say_for_seat(self, message: Any, received_ns: int | None = None) -> None:
        """Have the seat that this panel plays protest, sign, choose or say what it turned: for itself, so no PIN.

        received_ns: when a tap came.
        """
        panel, panels = self._panel, self._desk.panels
        seat = panels.plays(panel) if panel is not None and self._is_mine(panel) else None
        if panel is None or seat is None:
            self._refuse("illegal", text("this panel plays no seat: the referee gives it one"))
            return
        loop = asyncio.get_running_loop()

        def tell(result: Done | CompanionError) -> None:
            if isinstance(result, CompanionError):
                self._refuse("illegal", str(result))
            else:
                self._tell(messages.NotedMessage(says=result.says))

        def from_box(result: Done | CompanionError) -> None:
            with suppress(RuntimeError):  # the web server has ended
                loop.call_soon_threadsafe(tell, result)

        if isinstance(message, messages.ScanMessage):
            error_ns = message.age_ms * MS + panels.delay_ns(is_near=panel.is_near)
            self._desk.referee.scan(SeenCode(message.code, error_ns, seat), from_box)
            return
        sent = UNTIMED
        if isinstance(message, messages.Tap) and received_ns is not None:
            stamp = panels.tapped(panel, message.t_us, message.by, received_ns)
            sent = Sent(stamp.t_ns, stamp.error_ns)
        self._desk.referee.ask(self._command_of(message, seat), from_box, sent)

    def _command_of(self, message: Any, seat: Colour) -> Command:
        label = self._own_label(message) if isinstance(message, messages.PickMessage) else ""
        return _command_of(message, seat, label, self._desk.profiles)

    def _own_label(self, message: messages.PickMessage) -> str:
        """Give what the box calls an item that a page names in its own language; what the page says where none is."""
        me, language = self._told.me, self._connection.language
        options = me.options if me is not None else ()
        labels = [one["label"] for one in options if one["item"] == message.item]
        return next((plain(one) for one in labels if in_language(one, language) == message.label), message.label)

    def _input(self, message: Any, received_ns: int) -> None:
        panel, panels = self._panel, self._desk.panels
        if panel is None:
            self._refuse("illegal", 'say {"type":"panel"} first')
            return
        if (lost := panel.why_not(self._joined)) is not None:
            self._refuse("place_lost", lost)
            return
        taken: Taken
        if isinstance(message, messages.TurnMessage):
            taken = panels.turn(panel, message.n, message.steps, message.t_us, message.by, received_ns)
        elif isinstance(message, messages.PressMessage):
            taken = panels.press(panel, message.n, message.button, message.t_us, message.by, received_ns)
        else:
            taken = panels.release(
                panel, message.n, message.button, message.t_us, message.by, received_ns, is_seen=message.seen
            )
        error_ms = None if taken.error_ns is None else round(taken.error_ns / MS, 1)
        self._tell(
            messages.Pressed(
                n=message.n, taken=taken.why is None, error_ms=error_ms, why=taken.why, arrival=taken.arrival
            )
        )


def switch_message(switches: tuple[SwitchNow, ...], seat: Colour | None) -> messages.SwitchMessage:
    """Give what a seat's own panel is told of its scanning."""
    now = next((one for one in switches if one.colour is seat), None)
    if now is None:
        return _NO_SWITCH
    moves = None if now.moves is None else now.moves.label
    cued = now.cued
    if cued is None:
        return messages.SwitchMessage(seat=seat, picks=now.picks.label, moves=moves)
    return messages.SwitchMessage(
        seat=seat, picks=now.picks.label, moves=moves, title=cued.title, number=cued.number, of=cued.of,
        says=cued.says, picked=cued.is_picked,
    )  # fmt: skip


def wishes_message(
    profiles: Mapping[Colour, Profile], seat: Colour | None, languages: Languages
) -> messages.WishesMessage:  # fmt: skip
    """Give what a seat's own panel is told of its player's profile."""
    profile = profiles.get(seat) if seat is not None else None
    if profile is None:
        return _NO_WISHES
    language = languages.find(profile.language.replace("_", "-")) if profile.language else None
    screens, voice = profile.screens, profile.voice
    return messages.WishesMessage(
        seat=seat, language="" if language is None else language.code, simple=screens.simple, large=screens.large,
        trembles=screens.wants("phone"), sounds=screens.wants("tones"), rate=voice.rate,
        volume=None if voice.volume is None else voice.volume / 100,
    )  # fmt: skip


def _command_of(  # noqa: PLR0911 - one return for each kind of message
    message: Any, seat: Colour, label: str, profiles: KeptProfiles | None
) -> Command:
    """Give what a seat asks for by a message of its own. label: what is picked, as the box calls it.

    Raises UnknownPerson for a card that opens no profile here.
    """
    match message:
        case messages.SitMessage():
            if profiles is None:
                raise Illegal(text("this box keeps no profiles"))
            return SitDown(seat=seat, name=profiles.of_card(card_typed(message.card)).name)
        case messages.ProtestMessage():
            return MakeProtest(colour=seat, race=message.race, text=message.text)
        case messages.CardMessage():
            return EnterCard(card=message.card, seat=seat)
        case messages.ChooseMessage():
            return Choose(kind=message.kind, seat=seat, option=message.option)
        case messages.PickMessage():
            return PickItem(seat=seat, item=message.item, label=label)
        case messages.NoneMessage():
            return PlayNone(seat=seat)
        case _:
            return SignResult(colour=seat)
