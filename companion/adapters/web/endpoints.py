"""Every address of the API in one table, from which the routes and their description (OpenAPI) are both made."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.web import api, desk_codes, files, people, trying
from companion.adapters.web.wire import files as texts
from companion.adapters.web.wire import messages
from companion.adapters.web.wire import people as bodies
from companion.core.play import commands

if TYPE_CHECKING:
    import msgspec

    from companion.adapters.web.api import Handler


class Endpoint(NamedTuple):
    """An address and what it does. body, gives: None for none, or for what is no struct. refusals: statuses beside
    those that every address has."""

    method: str
    path: str
    handler: Handler
    says: str
    body: type[msgspec.Struct] | None = None
    gives: type[msgspec.Struct] | None = None
    media_type: str = "application/json"
    needs_pin: bool = False
    refusals: tuple[int, ...] = ()


_DONE = messages.DoneAnswer


def _get(path: str, handler: Handler, says: str, *refusals: int, media_type: str = "application/json") -> Endpoint:
    return Endpoint("GET", path, handler, says, media_type=media_type, refusals=refusals)


def _command(path: str, kind: type[commands.Command], says: str) -> Endpoint:
    return Endpoint(
        "POST", path, api.carry_out(kind), says, kind, _DONE, needs_pin=True, refusals=(404, 409, 503)
    )  # fmt: skip


def _preview(path: str, kind: type[commands.PreviewReplace | commands.PreviewForNewCard], says: str) -> Endpoint:
    return Endpoint("POST", f"{path}/preview", api.preview(kind), says, kind, needs_pin=True, refusals=(404, 409))


SESSION = (
    Endpoint("GET", "/api/session", api.get_session, "What the caller may do", None, messages.Who),
    Endpoint(
        "POST", "/api/session", api.log_in, "Open a referee's session", messages.LogIn, messages.Who,
        refusals=(403, 429),
    ),
    Endpoint(
        "GET", "/api/session/puzzle", desk_codes.get_puzzle, "The work that the next try of a PIN must bring", None,
        messages.Puzzle,
    ),
    Endpoint(
        "POST", "/api/session/ask-code", desk_codes.ask_code, "Have the box's own display show a code",
        messages.Empty, messages.CodeTicket, refusals=(409,),
    ),
    Endpoint(
        "POST", "/api/session/code", desk_codes.log_in_by_code, "Open a referee's session by that code",
        messages.LogInByCode, messages.Who, refusals=(403, 409),
    ),
    Endpoint("DELETE", "/api/session", api.log_out, "End the caller's session", None, messages.Who),
    Endpoint(
        "PUT", "/api/pin", api.change_pin, "Change the PIN", messages.NewPin, _DONE, needs_pin=True, refusals=(503,)
    ),
)  # fmt: skip
READING = (
    Endpoint("GET", "/api/link", api.get_link, "How others reach this box", None, messages.Link),
    _get("/api/link.svg", api.get_link_svg, "The first address as a QR code", media_type="image/svg+xml"),
    _get(
        "/api/seats/{colour}.svg", api.get_seat_svg, "Where a phone asks for a seat, as a QR code", 404,
        media_type="image/svg+xml",
    ),
    _get("/api/state", api.get_state, "The state document"),
    _get("/api/health", api.get_health, "How each input is: pressed now, last bounce, contacts that were no press"),
    _get("/api/course", api.get_course, "The whole course of the running match", 404),
    _get("/api/record", api.get_record, "What of the record can be replaced", 404),
    _get("/api/oled.png", api.get_oled, "The OLED's picture", 503, media_type="image/png"),
    _get("/api/games", api.get_games, "The games that can be played"),
    _get("/api/games/{name}/look", api.get_look, "How a game's cards, symbols and buttons look", 404),
    _get("/api/demonstrations", api.get_demonstrations, "The games that have a demonstration"),
    _get(
        "/api/demonstrations/{name}", api.get_demonstration, "A short match to look at, step by step", 404, 503
    ),
    _get("/api/words", api.get_words, "What the words on the pages mean"),
    _get("/api/dead-heats", api.get_dead_heats, "What may decide a dead heat"),
    _get("/api/matches", api.get_matches, "The stored matches, newest first", 400, 503),
    _get("/api/matches/{id}", api.get_match, "A past match", 400, 404, 503),
    _get(
        "/api/matches/{id}/record", api.get_match_record, "A past match's record", 400, 404, 409, 503,
        media_type="application/jsonl",
    ),
    _get(
        "/api/matches/{id}/strips/{race}.svg", api.get_strip, "A race of a past match as a photo finish",
        400, 404, 409, 503, media_type="image/svg+xml",
    ),
)  # fmt: skip
DOING = (
    Endpoint(
        "POST", "/api/match", people.begin_match, "Begin a match", commands.NewMatch, _DONE, needs_pin=True,
        refusals=(404, 409, 503),
    ),
    _command("/api/reveal", commands.EnterCard, "Enter the card that was revealed"),
    _command("/api/another-card", commands.AnotherCard, "Another card lay face up when the newest judged race began"),
    Endpoint(
        "POST", "/api/scan", api.scan, "Enter the card of a code that a camera has read", messages.ScannedCode, _DONE,
        needs_pin=True, refusals=(404, 409, 503),
    ),
    _command("/api/no-card", commands.NoCard, "No card was turned that has not been entered"),
    _command("/api/close", commands.CloseRace, "Close the race"),
    _command("/api/none", commands.PlayNone, "A seat plays no card this time"),
    _command("/api/card-for", commands.CardFor, "The card of a seat that picks it by a switch is entered for it"),
    _command("/api/choose", commands.Choose, "Choose for whoever may decide"),
    Endpoint(
        "POST", "/api/steps", api.next_step, "The next field of a choice of many fields; changes nothing",
        messages.NextStep, needs_pin=True, refusals=(404, 409),
    ),
    _command("/api/by-hand", commands.SetByHand, "Set by hand what the box cannot know"),
    _command("/api/was-play", commands.WasPlay, "The button that named the newest card was a play"),
    _command("/api/undo", commands.TakeBack, "Take back the newest line"),
    _command("/api/undo/reason", commands.ExplainUndo, "Why lines were taken back, told afterwards"),
    _preview("/api/replace", commands.PreviewReplace, "What a replacement would lead to"),
    _command("/api/replace", commands.ReplaceCall, "Replace earlier lines"),
    _preview("/api/for-new-card", commands.PreviewForNewCard, "What a press that counts for the newest card leads to"),
    _command("/api/for-new-card", commands.ForNewCard, "An ignored press was for the newest card"),
    _command("/api/protest", commands.MakeProtest, "A seat disputes a race"),
    _command("/api/answer", commands.AnswerProtest, "Answer a protest"),
    _command("/api/sign", commands.SignResult, "A seat accepts the result"),
    _command("/api/end", commands.EndMatch, "End the match"),
    _command("/api/dismiss", commands.Dismiss, "Take away what stays until it is dismissed"),
    _command("/api/leave", commands.LeaveMatch, "Back to the seating"),
    _command("/api/input", commands.AskInput, "Have what shall be a button be pressed now, at the box"),
    _command("/api/consent", commands.Consent, "Agree to the allowances for a seat"),
    _command("/api/sound", commands.TurnSound, "Have the box's buzzer be heard, or silent"),
    _command("/api/calibrate", commands.Calibrate, "Measure the allowance of a seat"),
    _command("/api/calibration", commands.StepCalibration, "Begin, pause, go on with or leave the measuring"),
    _command("/api/agree", commands.AgreeToMeasured, "What a seat says of a measured allowance"),
    _command("/api/resume", commands.AnswerOffer, "Take up the match that was cut off, or leave it"),
    _command("/api/remark", commands.AddRemark, "Note something in the record"),
    Endpoint(
        "POST", "/api/phones", api.grant_all, "Let all phones that ask play", messages.GrantAll, _DONE,
        needs_pin=True, refusals=(409,),
    ),
    Endpoint(
        "POST", "/api/phones/{code}", api.grant_seat, "Let a phone play for a seat", messages.GrantSeat, _DONE,
        needs_pin=True, refusals=(404,),
    ),
    Endpoint(
        "POST", "/api/door", api.set_door, "Let new panels in, or none", messages.Door, _DONE, needs_pin=True,
    ),
    Endpoint(
        "POST", "/api/try", trying.begin, "Begin a match to try the box out (simulated box)", messages.TriedGame,
        _DONE, refusals=(409,),
    ),
    Endpoint(
        "POST", "/api/try/card", trying.turn_card, "Turn a card up in it (simulated box)", messages.TriedCard, _DONE,
        refusals=(404, 409),
    ),
)  # fmt: skip


def _private(path: str, handler: Handler, says: str, media_type: str = "application/json") -> Endpoint:
    return Endpoint(
        "GET", path, handler, says, media_type=media_type, needs_pin=True, refusals=(400, 404, 409, 503)
    )  # fmt: skip


def _people(path: str, handler: Handler, says: str, body: type[msgspec.Struct]) -> Endpoint:
    return Endpoint("POST", path, handler, says, body, _DONE, needs_pin=True, refusals=(404, 409, 503))


def _link(path: str, handler: Handler, says: str, body: type[msgspec.Struct]) -> Endpoint:
    return Endpoint("POST", path, handler, says, body, needs_pin=True, refusals=(404, 409, 503))


def _own(path: str, handler: Handler, says: str, body: type[msgspec.Struct]) -> Endpoint:
    """An address that needs no PIN, but what a person's own card says."""
    return Endpoint("POST", path, handler, says, body, refusals=(401, 404, 409, 503))


_PDF = "application/pdf"
PEOPLE = (
    _private("/api/people", people.get_people, "Players, standings, evenings, links"),
    _private("/api/people/names", people.get_names, "Names that the match form offers"),
    _private("/api/people/export.csv", people.get_export("csv"), "Everybody's matches as CSV", "text/csv"),
    _private(
        "/api/people/export.jsonl", people.get_export("jsonl"), "Everybody's matches as JSON Lines", "application/jsonl"
    ),
    _private("/api/people/{which}/sheet", people.get_sheet("people"), "A person's figures"),
    _private("/api/people/{which}/sheet.pdf", people.get_pdf("people"), "A person's figures as PDF", _PDF),
    _private("/api/evenings/{which}/sheet", people.get_sheet("evenings"), "An evening's figures"),
    _private("/api/evenings/{which}/sheet.pdf", people.get_pdf("evenings"), "An evening's figures as PDF", _PDF),
    _get("/api/shared/{which}/sheet", people.get_sheet("shared"), "What a link shows", 400, 404, 409, 503),
    _get(
        "/api/shared/{which}/sheet.pdf", people.get_pdf("shared"), "What a link shows as PDF", 400, 404, 409, 503,
        media_type=_PDF,
    ),
    _get("/api/matches/{id}/result", people.get_sheet("matches"), "A match's result", 400, 404, 409, 503),
    _get(
        "/api/matches/{id}/result.pdf", people.get_pdf("matches"), "A match's result as PDF", 400, 404, 409, 503,
        media_type=_PDF,
    ),
    _people("/api/people/add", people.add_person, "Put a name on the list of players", bodies.AddPerson),
    _people("/api/people/rename", people.rename_person, "Change a name, in the records too", bodies.RenamePerson),
    _people("/api/people/remove", people.remove_person, "Delete a name, in the records too", bodies.RemovePerson),
    _people("/api/shares/remove", people.unshare, "Take a link back", bodies.Unshare),
    _command("/api/sit", commands.SitDown, "Have a person sit at a seat, by their profile where they have one"),
    _private("/api/profiles", people.get_profiles, "Everybody's profiles"),
    _link("/api/profiles/begin", people.begin_profile, "Give a person a profile", bodies.OfPerson),
    _link("/api/profiles/change", people.change_profile, "Change how a person plays", bodies.ChangeProfile),
    _link("/api/profiles/card", people.give_card, "Give out a new card for a person", bodies.OfPerson),
    _link("/api/profiles/import", people.take_in_profile, "Take in a profile", bodies.TakeInProfile),
    _link("/api/profiles/along", people.get_along, "A profile to be taken along", bodies.OfPerson),
    _people("/api/profiles/remove", people.remove_profile, "Delete a profile", bodies.OfPerson),
    _own("/api/profile", people.get_own, "The profile of whoever holds a card", bodies.OwnCard),
    _own("/api/profile/change", people.change_own, "Change how whoever holds a card plays", bodies.ChangeOwn),
    _own("/api/profile/along", people.get_own_along, "A card's profile to be taken along", bodies.OwnCard),
    _own("/api/profile/remove", people.remove_own, "Delete the profile of whoever holds a card", bodies.OwnCard),
    _own("/api/profile/trial", people.try_touches, "What filters a hand needs", bodies.TriedTouches),
    _link("/api/shares/person", people.share_person, "A link to a person's figures", bodies.SharePerson),
    _link("/api/shares/evening", people.share_evening, "A link to an evening's figures", bodies.ShareEvening),
)  # fmt: skip


def _file(path: str, handler: Handler, says: str, body: type[msgspec.Struct], *refusals: int) -> Endpoint:
    return Endpoint(
        "POST", path, handler, says, body, needs_pin=True, refusals=(404, 503, *refusals)
    )  # fmt: skip


_FILE = "/api/files/{game}/{key}/{name}"
FILES = (
    _private("/api/files", files.get_files, "What games ask for as a file, and the files there are"),
    _private(_FILE, files.get_file, "A file whole, with what is wrong with it"),
    _private(f"{_FILE}/text", files.get_text, "A file's text as a download", "text/plain"),
    _file("/api/files/check", files.check_file, "What is wrong with a text", texts.CheckFile),
    _file("/api/files/save", files.keep_file, "Keep a text under a name", texts.KeepFile, 409),
    _file("/api/files/remove", files.remove_file, "Keep a file no longer", texts.RemoveFile, 409),
    _file("/api/files/try", files.try_file, "Play a match with a text; nothing of it is kept", texts.TryFile, 409),
    _file("/api/files/dry-run", files.dry_run, "Judge a stored match by a text", texts.DryRunFile, 409),
)
ENDPOINTS: tuple[Endpoint, ...] = (*SESSION, *READING, *DOING, *PEOPLE, *FILES)
