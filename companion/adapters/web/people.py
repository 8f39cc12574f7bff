"""What each address of people does: names that stay, evenings, results, links.

Knows no game; sheets come from the port. What names anybody needs the PIN or a link, but for results of matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from starlette.responses import Response

from companion.adapters.web import api
from companion.adapters.web.access.answers import answer, read_body
from companion.adapters.web.access.errors import ApiError
from companion.adapters.web.spoken.choosing import answering
from companion.adapters.web.wire import messages
from companion.adapters.web.wire import people as bodies
from companion.core.people.names import tidy
from companion.core.play import commands
from companion.core.profiles import told
from companion.core.profiles.sitting import card_typed
from companion.core.words.texts import in_language, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from companion.adapters.web.api import Desk, Handler
    from companion.core.profiles.kept import KeptProfiles
    from companion.core.profiles.profile import Profile
    from companion.ports import People

PEOPLE = "people"
"""An alarm's key."""
_TYPES = {"csv": "text/csv", "jsonl": "application/jsonl"}


def people_of(desk: Desk) -> People:
    """Give who keeps people. Raises ApiError where nobody does."""
    if desk.people is None:
        raise ApiError(503, "unavailable", text("this box keeps no list of players"))
    return desk.people


def not_yet(desk: Desk) -> frozenset[int]:
    """Give the matches that are not to be looked at yet: the one that runs, or that phones race in."""
    running = set() if desk.hub.withheld_id is None else {desk.hub.withheld_id}
    snapshot = desk.hub.snapshot
    if snapshot is not None and snapshot.match is not None and not snapshot.match.is_over and desk.hub.match_id:
        running.add(desk.hub.match_id)
    return frozenset(running)


# -- reading -----------------------------------------------------------------------------------------------------------


async def get_people(desk: Desk, request: Request) -> Response:  # noqa: ARG001 - every handler has both
    """Give the list of players, standings, evenings and links."""
    return answer(await api.in_thread(desk, people_of(desk).overview, not_yet(desk)))


async def get_names(desk: Desk, request: Request) -> Response:  # noqa: ARG001
    """Give the names that the match form offers."""
    return answer(await api.in_thread(desk, people_of(desk).names))


async def sheet_of(desk: Desk, request: Request, kind: str) -> dict[str, Any]:
    """Give the sheet of an address: kind "people", "evenings", "shared" or "matches". Raises ApiError."""
    people = people_of(desk)
    if kind == "matches":
        match_id = api.match_id_of(request)
        lines = await api.in_thread(desk, api.full_record, desk, match_id, api.running_as(desk, match_id))
        return {**await api.in_thread(desk, people.result, match_id, lines)}
    find = {"people": people.person, "evenings": people.evening, "shared": people.shared}[kind]
    which = unquote(request.path_params["which"])  # encoded twice: a slash that is encoded once would part the address
    return {**await api.in_thread(desk, find, which, not_yet(desk))}


def get_sheet(kind: str) -> Handler:
    """Give the handler of a sheet."""

    async def handle(desk: Desk, request: Request) -> Response:
        return answer(await sheet_of(desk, request, kind))

    return handle


def get_pdf(kind: str) -> Handler:
    """Give the handler of a sheet as PDF."""

    async def handle(desk: Desk, request: Request) -> Response:
        told = await sheet_of(desk, request, kind)
        language = answering.get()
        content = await api.in_thread(desk, people_of(desk).pdf, told, language)
        name = f"{in_language(told['title'], language)}.pdf"
        headers = {"content-disposition": attachment(name), "cache-control": "no-store"}
        return Response(content, 200, headers, "application/pdf")

    return handle


def get_export(kind: str) -> Handler:
    """Give the handler of a file for other programs."""

    async def handle(desk: Desk, request: Request) -> Response:  # noqa: ARG001
        content = await api.in_thread(desk, people_of(desk).exported, kind, not_yet(desk))
        headers = {"content-disposition": attachment(f"people.{kind}"), "cache-control": "no-store"}
        return Response(content, 200, headers, _TYPES[kind])

    return handle


def attachment(name: str) -> str:
    """Say under which name a file is to be kept, letters of all kinds in it."""
    plain = "".join(one if one.isascii() and (one.isalnum() or one in " ,.-_") else "_" for one in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


# -- doing -------------------------------------------------------------------------------------------------------------


def done(desk: Desk, says: str) -> Response:
    """Give the answer of what was done."""
    return answer(messages.DoneAnswer(ok=True, seq=desk.hub.seq, says=says))


async def add_person(desk: Desk, request: Request) -> Response:
    """Put a name on the list."""
    body = await read_body(request, bodies.AddPerson)
    await api.in_thread(desk, people_of(desk).add, [body.name])
    return done(desk, f"{body.name} is on the list")


async def rename_person(desk: Desk, request: Request) -> Response:
    """Change a name: on the list, in the seating, in the records."""
    body = await read_body(request, bodies.RenamePerson)
    people, to = people_of(desk), await api.in_thread(desk, tidy, body.to)
    await _call(desk, body.name, to)
    return done(desk, await api.in_thread(desk, people.rename, body.name, to))


async def remove_person(desk: Desk, request: Request) -> Response:
    """Delete a name: from the list, the seating, the records, the links."""
    body = await read_body(request, bodies.RemovePerson)
    people = people_of(desk)
    await _call(desk, body.name, None)
    return done(desk, await api.in_thread(desk, people.remove, body.name))


async def _call(desk: Desk, name: str, to: str | None) -> None:
    """Change a name at the table, and forget the events of matches that have ended: they have it still."""
    await api.ask(lambda answer_to: desk.referee.ask(commands.CallPlayer(name=name, to=to), answer_to))
    desk.hub.forget_events()


async def share_person(desk: Desk, request: Request) -> Response:
    """Give out a link to a person's figures."""
    body = await read_body(request, bodies.SharePerson)
    return answer(await api.in_thread(desk, people_of(desk).share, body.person, None))


async def share_evening(desk: Desk, request: Request) -> Response:
    """Give out a link to an evening's figures."""
    body = await read_body(request, bodies.ShareEvening)
    return answer(await api.in_thread(desk, people_of(desk).share, None, body.evening))


async def unshare(desk: Desk, request: Request) -> Response:
    """Take a link back."""
    body = await read_body(request, bodies.Unshare)
    await api.in_thread(desk, people_of(desk).unshare, body.token)
    return done(desk, "the link is taken back: it shows nothing any more")


async def begin_match(desk: Desk, request: Request) -> Response:
    """Begin a match, and keep the names of its players. One that cannot be kept hinders no match: the box says so."""
    body = await read_body(request, commands.NewMatch)
    told = await api.ask(lambda answer_to: desk.referee.ask(body, answer_to))
    names = [seat.name for seat in body.seats if seat.name and seat.name.strip()]
    if names and desk.people is not None:
        try:
            await api.in_thread(desk, desk.people.add, names)
            desk.notices.alarm(PEOPLE, None)
        except ApiError as error:
            desk.notices.alarm(PEOPLE, text("names are not kept: {why}").format(why=error.message))
    return done(desk, told.says)


# -- profiles ----------------------------------------------------------------------------------------------------------


def profiles_of(desk: Desk) -> KeptProfiles:
    """Give who keeps profiles. Raises ApiError where nobody does."""
    if desk.profiles is None:
        raise ApiError(503, "unavailable", text("this box keeps no profiles"))
    return desk.profiles


async def get_profiles(desk: Desk, request: Request) -> Response:  # noqa: ARG001 - every handler has both
    """Give all profiles, and what cannot be read."""
    profiles = profiles_of(desk)
    found = [told.profile_document(profile) for profile in profiles.kept]
    return answer({"profiles": found, "problems": list(profiles.problems)})


async def _changed(desk: Desk, change: Callable[..., Profile], *arguments: object) -> Response:
    return answer(told.profile_document(await api.in_thread(desk, change, *arguments)))


async def begin_profile(desk: Desk, request: Request) -> Response:
    """Give a person a profile; one that is there stays as it is."""
    body = await read_body(request, bodies.OfPerson)
    return await _changed(desk, profiles_of(desk).begin, body.name)


async def change_profile(desk: Desk, request: Request) -> Response:
    """Change how a person plays, for them."""
    body, profiles = await read_body(request, bodies.ChangeProfile), profiles_of(desk)
    return await _changed(desk, lambda: profiles.wish(profiles.of(body.name), body.wishes))


async def give_card(desk: Desk, request: Request) -> Response:
    """Give out a new card: the one before opens nothing any more."""
    body = await read_body(request, bodies.OfPerson)
    return await _changed(desk, profiles_of(desk).new_card, body.name)


async def take_in_profile(desk: Desk, request: Request) -> Response:
    """Keep a profile that came from another box."""
    body, profiles = await read_body(request, bodies.TakeInProfile), profiles_of(desk)
    return await _changed(desk, lambda: profiles.take_in(body.text.encode(), instead=body.instead))


async def remove_profile(desk: Desk, request: Request) -> Response:
    """Delete a profile; its person stays on the list."""
    body = await read_body(request, bodies.OfPerson)
    return done(desk, await api.in_thread(desk, profiles_of(desk).drop, body.name))


async def get_along(desk: Desk, request: Request) -> Response:
    """Give a person's profile as what can be taken along: a file, a code, and their card."""
    body, profiles = await read_body(request, bodies.OfPerson), profiles_of(desk)
    return answer(await api.in_thread(desk, lambda: _along(desk, profiles.of(body.name))))


async def get_own(desk: Desk, request: Request) -> Response:
    """Give whoever holds a card their own profile."""
    return await _changed(desk, profiles_of(desk).of_card, await _card(request))


async def change_own(desk: Desk, request: Request) -> Response:
    """Change how whoever holds a card plays."""
    body, profiles = await read_body(request, bodies.ChangeOwn), profiles_of(desk)
    return await _changed(desk, lambda: profiles.wish(profiles.of_card(card_typed(body.card)), body.wishes))


async def remove_own(desk: Desk, request: Request) -> Response:
    """Delete the profile of whoever holds a card."""
    card, profiles = await _card(request), profiles_of(desk)
    return done(desk, await api.in_thread(desk, lambda: profiles.drop(profiles.of_card(card).name)))


async def get_own_along(desk: Desk, request: Request) -> Response:
    """Give whoever holds a card what they can take along."""
    card, profiles = await _card(request), profiles_of(desk)
    return answer(await api.in_thread(desk, lambda: _along(desk, profiles.of_card(card))))


async def try_touches(desk: Desk, request: Request) -> Response:
    """Look through the touches of a trial, for the referee or whoever holds a card; nothing is kept."""
    body, profiles = await read_body(request, bodies.TriedTouches), profiles_of(desk)
    if body.card is not None:
        await api.in_thread(desk, profiles.of_card, card_typed(body.card))
    elif not desk.guard.is_referee(api.token_of(request)):
        raise ApiError(401, "pin_needed", text("a trial is for whoever holds a card, or for the referee"))
    return answer(await api.in_thread(desk, told.trial_document, body.touches, body.rounds, body.bounce_ms))


async def _card(request: Request) -> str:
    body = await read_body(request, bodies.OwnCard)
    return card_typed(body.card)


def _along(desk: Desk, profile: Profile) -> dict[str, Any]:
    found = told.along_document(profile)
    address = f"{desk.urls[0]}profile#card={profile.card}"
    return {
        **found,
        "code_svg": api.drawn_code(found["code"]) if found["code"] else None,
        "card_svg": api.drawn_code(found["card"]) if found["card"] else None,
        "address": address if profile.card else None,
        "address_svg": api.drawn_code(address) if profile.card else None,
    }
