"""The JSON API: what each address does, as one table that serves the routes and their description alike.

Knows no game: commands go to the referee's port, documents come from the views.
"""

from __future__ import annotations

import asyncio
import io
import time
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from companion.adapters.web.access.answers import answer, read_body, written
from companion.adapters.web.access.callers import caller_of, is_near
from companion.adapters.web.access.errors import ApiError, refusal
from companion.adapters.web.access.guard import COOKIE
from companion.adapters.web.access.opening import cookie_of, session_by_pin, wrong_pin
from companion.adapters.web.access.pin_file import PIN_NOT_KEPT
from companion.adapters.web.access.tries import FREE_OF_ALL
from companion.adapters.web.sending import file_of, send_file
from companion.adapters.web.spoken.choosing import answering
from companion.adapters.web.wire import messages
from companion.core.errors import CompanionError, Illegal, Malformed, Unavailable, UnknownGame
from companion.core.panel import Colour
from companion.core.record.dead_heats import POLICIES
from companion.core.shown.scene import Status
from companion.core.timing.events import MS
from companion.core.words.texts import joined, text
from companion.ports import SeenCode, Sent

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from concurrent.futures import ThreadPoolExecutor

    from starlette.requests import Request

    from companion.adapters.web.access.guard import Guard
    from companion.adapters.web.access.pin_file import PinFile
    from companion.adapters.web.access.screen_code import ScreenCodes
    from companion.adapters.web.limits.allowance import Allowances
    from companion.adapters.web.pages import Pages
    from companion.adapters.web.phones.panel_source import Panels
    from companion.adapters.web.wire.hub import Hub
    from companion.core.play import commands
    from companion.core.play.commands import Command, Done
    from companion.core.play.snapshot import Running
    from companion.core.profiles.kept import KeptProfiles
    from companion.ports import Archive, Demonstrations, GameFiles, Languages, People, Referee, WebNotices, WebViews

    Handler = Callable[["Desk", Request], Awaitable[Response]]
    Answer = Callable[[Done | CompanionError], None]

WRONG_PINS = "wrong PINs"
"""An alarm's key."""
PATIENCE_S = 10.0
"""How long a command may take; the box is stopping if it takes longer."""


@dataclass(slots=True, kw_only=True)
class Desk:
    """Everything the API works on. None: codes, where none is shown; pin_file, where a changed PIN is not kept;
    demonstrations, people, profiles, files, where there are none; trust (where phones learn to trust the pages), where
    they are plain. on_pin: told another PIN once it holds, for the box's own display."""

    hub: Hub
    panels: Panels
    guard: Guard
    codes: ScreenCodes | None
    pin_file: PinFile | None
    notices: WebNotices
    referee: Referee
    views: WebViews
    archive: Archive
    demonstrations: Demonstrations | None
    pages: Pages
    version: str
    urls: tuple[str, ...]
    is_lan: bool
    trust: str | None
    on_pin: Callable[[str], None]
    reading: ThreadPoolExecutor
    panel_quota: Allowances
    people: People | None
    profiles: KeptProfiles | None
    files: GameFiles | None
    languages: Languages
    clock: Callable[[], int] = time.monotonic_ns

    def rights_changed(self) -> None:
        """Sessions have ended: whatever was theirs has lost its rights, and is told."""
        self.panels.rights_changed()

    def who(self, *, referee: bool) -> messages.Who:
        """Say what somebody may do here."""
        return messages.Who(referee=referee, simulated=self.hub.simulated, version=self.version)


def token_of(request: Any) -> str | None:
    """Give the session's token that a request brings."""
    token: str | None = request.cookies.get(COOKIE)
    return token


async def ask(put: Callable[[Answer], None]) -> Done:
    """Ask the box something (`put` hands over where the answer goes) and wait for it. Raises ApiError."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Done | CompanionError] = loop.create_future()

    def tell(result: Done | CompanionError) -> None:
        if not future.done():
            future.set_result(result)

    def from_box(result: Done | CompanionError) -> None:
        try:
            loop.call_soon_threadsafe(tell, result)
        except RuntimeError:  # the web server has ended
            return

    put(from_box)
    try:
        result = await asyncio.wait_for(future, PATIENCE_S)
    except TimeoutError:
        raise ApiError(503, "unavailable", text("the box does not answer: it is stopping")) from None
    if isinstance(result, CompanionError):
        raise refusal(result)
    return result


async def in_thread(desk: Desk, function: Callable[..., Any], *arguments: object) -> Any:
    """Do what may take long outside the web server's loop. Raises ApiError for what the core refuses."""
    try:
        spoken = copy_context()
        return await asyncio.get_running_loop().run_in_executor(desk.reading, spoken.run, function, *arguments)
    except CompanionError as error:
        raise refusal(error) from None


# -- who ---------------------------------------------------------------------------------------------------------------


async def get_session(desk: Desk, request: Request) -> Response:
    """Say what the caller may do."""
    return answer(desk.who(referee=desk.guard.is_referee(token_of(request))))


async def log_in(desk: Desk, request: Request) -> Response:
    """Open a referee's session."""
    body = await read_body(request, messages.LogIn)
    token = session_by_pin(desk.guard, request, body.pin, body.work)
    if token is None:
        tell_wrong(desk)
        raise wrong_pin()
    return opened(desk, request, token)


def tell_wrong(desk: Desk) -> None:
    """Say on the box that somebody tries PINs, where there are too many wrong ones for somebody who mistypes."""
    if desk.guard.tries.level() >= FREE_OF_ALL:
        desk.notices.alarm(WRONG_PINS, text("somebody tries PINs: many wrong ones from the network; give a longer one"))


def opened(desk: Desk, request: Request, token: str) -> Response:
    """Give the answer that hands over a session's token."""
    desk.notices.alarm(WRONG_PINS, None)
    return answer(desk.who(referee=True), headers={"set-cookie": cookie_of(request, token)})


async def log_out(desk: Desk, request: Request) -> Response:
    """End the caller's session."""
    desk.guard.log_out(token_of(request))
    desk.rights_changed()
    return answer(desk.who(referee=False), headers={"set-cookie": cookie_of(request, "")})


async def change_pin(desk: Desk, request: Request) -> Response:
    """Take another PIN."""
    body = await read_body(request, messages.NewPin)
    says: str = text("the PIN is changed")
    if desk.pin_file is not None:
        why_not = await in_thread(desk, desk.pin_file.keep, body.pin)
        desk.notices.alarm(PIN_NOT_KEPT, why_not)
        says = joined((says, why_not), ": ") if why_not else says
    desk.guard.change_pin(body.pin, keep=token_of(request))
    desk.on_pin(body.pin)
    desk.rights_changed()
    return answer(messages.DoneAnswer(ok=True, seq=desk.hub.seq, says=says))


async def get_link(desk: Desk, request: Request) -> Response:  # noqa: ARG001 - every handler has both
    """Say how others reach this box."""
    return answer(messages.Link(urls=desk.urls, lan=desk.is_lan, trust=desk.trust))


async def get_link_svg(desk: Desk, request: Request) -> Response:  # noqa: ARG001
    """Give the first address as a QR code."""
    return qr_code(desk.urls[0])


async def get_seat_svg(desk: Desk, request: Request) -> Response:
    """Give as a QR code where a phone asks for a seat."""
    colour = request.path_params["colour"]
    if colour not in [one.value for one in Colour]:
        raise ApiError(404, "not_found", f"there is no seat {colour!r}: the colours are {', '.join(Colour)}")
    return qr_code(f"{desk.urls[0]}play#seat={colour}")


def qr_code(url: str) -> Response:
    """Draw an address as a QR code."""
    import segno  # noqa: PLC0415 - rarely needed

    out = io.BytesIO()
    segno.make(url, micro=False).save(out, kind="svg", scale=8, border=4, dark="#000", light="#fff")
    return Response(out.getvalue(), 200, {"cache-control": "no-store"}, "image/svg+xml")


def drawn_code(text: str) -> str:
    """Draw a text as a QR code that stands damage (correction M); give the SVG."""
    import segno  # noqa: PLC0415 - rarely needed

    return str(segno.make_qr(text, error="m").svg_inline(scale=4, border=4, dark="#000", light="#fff", omitsize=True))


# -- reading -----------------------------------------------------------------------------------------------------------


def running(desk: Desk) -> Running:
    """Give the running match. Raises ApiError where none runs."""
    if desk.hub.snapshot is None or desk.hub.snapshot.match is None:
        raise ApiError(404, "not_found", text("no match is running"))
    return desk.hub.snapshot.match


async def get_state(desk: Desk, request: Request) -> Response:  # noqa: ARG001
    """Give the state document."""
    return answer(desk.hub.document(answering.get()))


async def get_health(desk: Desk, request: Request) -> Response:  # noqa: ARG001
    """Give how each input is, unless that would say who presses."""
    running_now = desk.hub.snapshot.match if desk.hub.snapshot is not None else None
    phones = {panel.seat for panel in desk.panels.listed() if panel.seat is not None}
    return answer(desk.views.health(desk.hub.inputs, desk.clock(), running_now, phones))


async def get_course(desk: Desk, request: Request) -> Response:  # noqa: ARG001
    """Give the whole course of the running match."""
    entries = await in_thread(desk, desk.views.course, running(desk))
    return answer({"match": desk.hub.match_id, "entries": entries})


async def get_record(desk: Desk, request: Request) -> Response:  # noqa: ARG001
    """Give what of the running match's record can be replaced."""
    return answer(await in_thread(desk, desk.views.record, running(desk), desk.hub.match_id))


async def get_oled(desk: Desk, request: Request) -> Response:  # noqa: ARG001
    """Give the OLED's picture."""
    picture = desk.hub.picture
    if picture is None:
        raise ApiError(503, "unavailable", text("nothing has been shown yet"))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return Response(out.getvalue(), 200, {"cache-control": "no-store"}, "image/png")


async def get_dead_heats(desk: Desk, request: Request) -> Response:  # noqa: ARG001
    """Give what may decide a dead heat: key, label, the account's sentence, whether it needs times."""
    return answer(
        [
            {"key": key, "label": policy.label, "says": policy.told, "by_time": policy.by_time}
            for key, policy in POLICIES.items()
        ]
    )


async def get_games(desk: Desk, request: Request) -> Response:  # noqa: ARG001
    """Give the games that can be played."""
    return answer(await in_thread(desk, desk.views.games))


async def get_words(desk: Desk, request: Request) -> Response:  # noqa: ARG001
    """Give what the words on the pages mean."""
    return answer(desk.views.words())


async def get_demonstrations(desk: Desk, request: Request) -> Response:  # noqa: ARG001
    """Give the games that have a demonstration."""
    return answer([] if desk.demonstrations is None else await in_thread(desk, desk.demonstrations.games))


async def get_demonstration(desk: Desk, request: Request) -> Response:
    """Give a game's demonstration, step by step. It may be kept, as a look may."""
    name = request.path_params["name"]

    def read() -> bytes:
        if desk.demonstrations is None:
            raise ApiError(404, "not_found", text("the game {game} has no demonstration here").format(game=repr(name)))
        try:
            return written(desk.demonstrations.scenes(name))
        except UnknownGame as error:
            raise ApiError(404, "not_found", f"{error}") from None

    return kept(request, await in_thread(desk, read))


async def get_look(desk: Desk, request: Request) -> Response:
    """Give how a game's things look. It may be kept: its tag is asked for again, and the same answered by 304."""
    name = request.path_params["name"]
    try:
        content = written(desk.views.look(name))
    except UnknownGame as error:
        raise ApiError(404, "not_found", f"{error}") from None
    return kept(request, content)


def kept(request: Request, content: bytes) -> Response:
    """Give JSON that a browser may keep: its tag is asked for again, and the same answered by 304."""
    return send_file(request, file_of(content, "application/json"))


async def get_matches(desk: Desk, request: Request) -> Response:  # noqa: ARG001
    """List the stored matches."""
    return answer(await in_thread(desk, listed_matches, desk))


def listed_matches(desk: Desk) -> list[dict[str, Any]]:
    """List the stored matches, with no more lines than may be given out.

    A match has ended once its end is shown and kept; the journal marks it only when it is left, for its end may be
    taken back until then.
    """
    listed = []
    for match in desk.archive.matches():
        running = running_as(desk, match["id"])
        most = most_open(desk, match["id"], running)
        known = match if most is None else {**match, "lines": min(match["lines"], most)}
        has_ended = running is not None and running.is_over and running.status is Status.FINAL
        listed.append({**known, "ended": known["ended"] or has_ended})
    return listed


def match_id_of(request: Request) -> int:
    """Read the number in the address. Raises ApiError."""
    return number_of(request.path_params["id"], "match")


def number_of(text: str, what: str) -> int:
    """Read a number from 1 on out of an address. Raises ApiError."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 18 and int(text) > 0):
        raise ApiError(404, "not_found", f"there is no {what} {text!r}: it is a number, 1, 2, …")
    return int(text)


def running_as(desk: Desk, match_id: int) -> Running | None:
    """Give the running match where it is this one of the stored ones, else None."""
    snapshot = desk.hub.snapshot
    return snapshot.match if snapshot is not None and match_id == desk.hub.match_id else None


def most_open(desk: Desk, match_id: int, match: Running | None) -> int | None:
    """Tell how many lines of a match that runs (`running_as`) may be given out; None for all of one that does not."""
    if match is None:
        return 0 if match_id == desk.hub.withheld_id else None
    return None if match.is_over else desk.views.open_lines(match)


def open_record(desk: Desk, match_id: int, match: Running | None) -> tuple[list[bytes], bool]:
    """Give the lines of a stored match that everybody may see now, and whether they say what only some may know.

    match: `running_as` gives it; call this where reading may block. The journal may have more than has been shown: a
    press of a race in which others are not to see it yet. So may the record of a match that was cut off and can be
    taken up again; that one runs for nobody yet, and is read for itself.
    """
    lines, most = desk.archive.lines(match_id), most_open(desk, match_id, match)
    if most is not None:
        return lines[:most], match is None or desk.views.hides(match)
    if match is not None:
        return lines, False
    newest = next(iter(desk.archive.matches()), None)
    if newest is None or newest["id"] != match_id or newest["ended"]:
        return lines, False
    most, hides = desk.views.cut_off(lines)
    return lines[:most], hides


def full_record(desk: Desk, match_id: int, match: Running | None) -> list[bytes]:
    """Give a record as `open_record` does. Raises Illegal where it says what not everybody may know yet."""
    lines, hides = open_record(desk, match_id, match)
    if hides:
        raise Illegal(text("the match runs, and its record says what not everybody may know yet"))
    return lines


async def get_match(desk: Desk, request: Request) -> Response:
    """Give a past match."""
    match_id = match_id_of(request)
    match = running_as(desk, match_id)

    def read() -> dict[str, Any]:
        lines, _ = open_record(desk, match_id, match)
        listed = next((match for match in listed_matches(desk) if match["id"] == match_id), {})
        return {**listed, **desk.views.match(lines)}

    return answer(await in_thread(desk, read))


async def get_match_record(desk: Desk, request: Request) -> Response:
    """Give a past match's record as a file."""
    match_id = match_id_of(request)
    lines = await in_thread(desk, full_record, desk, match_id, running_as(desk, match_id))
    name = f'attachment; filename="match-{match_id}.jsonl"'
    content = b"".join(line + b"\n" for line in lines)
    headers = {"content-disposition": name, "cache-control": "no-store"}
    return Response(content, 200, headers, "application/jsonl")


async def get_strip(desk: Desk, request: Request) -> Response:
    """Give a race of a past match as a photo finish."""
    match_id, race = match_id_of(request), number_of(request.path_params["race"], "race")
    match = running_as(desk, match_id)
    text = request.query_params.get("width")
    width = None if text is None else number_of(text, "width")
    part = request.query_params.get("part")
    if part not in {None, "lanes"}:
        raise ApiError(404, "not_found", f"there is no part {part!r} of a picture: it is lanes, or none for the whole")

    language = answering.get()

    def read() -> str:
        try:
            lines = full_record(desk, match_id, match)
            return desk.views.strip(
                lines, race, desk.archive.evidence, width, lanes=part is not None, language=language
            )
        except Malformed as error:  # what is stored is, and not what was asked
            raise Unavailable(str(error)) from error

    return Response(await in_thread(desk, read), 200, {"cache-control": "no-store"}, "image/svg+xml")


# -- doing -------------------------------------------------------------------------------------------------------------


async def scan(desk: Desk, request: Request) -> Response:
    """Enter the card of a code that the camera of a referee's page has read."""
    body = await read_body(request, messages.ScannedCode)
    error_ns = body.age_ms * MS + desk.panels.delay_ns(is_near=is_near(caller_of(request)))
    done = await ask(lambda answer_to: desk.referee.scan(SeenCode(body.code, error_ns), answer_to))
    return answer(messages.DoneAnswer(ok=True, seq=desk.hub.seq, says=done.says))


def carry_out(kind: type[Command]) -> Handler:
    """Give the handler of a command."""

    async def handle(desk: Desk, request: Request) -> Response:
        command = await read_body(request, kind)
        sent = Sent(error_ns=desk.panels.delay_ns(is_near=is_near(caller_of(request))))
        done = await ask(lambda answer_to: desk.referee.ask(command, answer_to, sent))
        preview = None
        if done.preview is not None:
            preview = await in_thread(desk, desk.views.replaced, running(desk), done.preview)
        return answer(messages.DoneAnswer(ok=True, seq=desk.hub.seq, says=done.says, preview=preview))

    return handle


def preview(kind: type[commands.PreviewReplace | commands.PreviewForNewCard]) -> Handler:
    """Give the handler that says what a change of earlier lines would lead to."""

    async def handle(desk: Desk, request: Request) -> Response:
        command = await read_body(request, kind)
        return answer(await in_thread(desk, desk.views.preview, running(desk), command))

    return handle


async def next_step(desk: Desk, request: Request) -> Response:
    """Give the next field of a choice of many fields."""
    body = await read_body(request, messages.NextStep)
    return answer(await in_thread(desk, desk.views.steps, running(desk), body.kind, body.seat, body.chosen))


async def grant_seat(desk: Desk, request: Request) -> Response:
    """Let a phone play for a seat."""
    body = await read_body(request, messages.GrantSeat)
    try:
        panel = desk.panels.grant(request.path_params["code"], body.seat)
    except CompanionError as error:
        raise refusal(error) from None
    says = f"{panel.code} plays for {body.seat}" if body.seat else f"{panel.code} plays no longer"
    return answer(messages.DoneAnswer(ok=True, seq=desk.hub.seq, says=says))


async def grant_all(desk: Desk, request: Request) -> Response:
    """Let all phones that the referee saw asking play."""
    body = await read_body(request, messages.GrantAll)
    granted = desk.panels.grant_all(body.codes)
    if not granted:
        raise refusal(Illegal(text("none of these phones asks for a seat that is free: they may have gone")))
    says = ", ".join(f"{panel.code} plays for {panel.seat}" for panel in granted)
    return answer(messages.DoneAnswer(ok=True, seq=desk.hub.seq, says=says))


async def set_door(desk: Desk, request: Request) -> Response:
    """Let new panels in, or none."""
    body = await read_body(request, messages.Door)
    desk.panels.open_door(is_open=body.open)
    says = "new panels are let in" if body.open else "no new panels are let in; whoever has a seat comes back to it"
    return answer(messages.DoneAnswer(ok=True, seq=desk.hub.seq, says=says))
