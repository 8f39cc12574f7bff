"""Everything a referee's desk can ask of the session, as values: what is meant, not how it came (HTTP, a test).

Each is read strictly (unknown fields are errors) and carried out by `perform`, with the same code that the buttons and
the record use: a command that cannot be carried out raises a CompanionError and changes nothing. Knows no wire, no
device and no game by name.

`seen`: how many lines the record had when whoever asks last looked; with it, what was meant for an older state is
refused as `Changed`, unless only notes have come since. None: whatever the state is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from companion.core.errors import CompanionError, Illegal, Malformed
from companion.core.match import veil
from companion.core.match.corrections.another_card import another_card
from companion.core.match.corrections.new_card import edits_for_new_card, for_new_card, verify_counts
from companion.core.match.corrections.reasons import explain
from companion.core.match.disputing import answer, protest, sign
from companion.core.match.held_cards import HeldCard, turn
from companion.core.match.match_record import NOTHING_TO_UNDO
from companion.core.match.waiting.early_presses import without_card
from companion.core.panel import BUTTON_BY_LABEL, Colour, label_of
from companion.core.people.names import NAME_LENGTH
from companion.core.play.choosing import Roll
from companion.core.record.lines import NOTES, AllowanceMs, ByHand, DeadHeat, Reveal, SetupFile
from companion.core.ruling.looks import card_says
from companion.core.ruling.offers import Option, Step
from companion.core.ruling.parameters import variants_of
from companion.core.ruling.replacing import Edit, preview
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.match.match import Match
    from companion.core.play.seating import Table
    from companion.core.play.session import Session
    from companion.core.record.lines import Line
    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.history import History
    from companion.core.ruling.judge import Judge
    from companion.core.ruling.offers import NumberEntry, Offer
    from companion.core.ruling.replacing import Preview
    from companion.core.ruling.rulings import Ruling

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
LineNumber = Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]
STILL_HIDDEN = "the presses of the race that runs are not to be seen yet: close it first"
WindowMs = Annotated[int, msgspec.Meta(ge=500, le=120_000)]


NOTHING_CHANGED = "nothing has been changed"


class Changed(CompanionError, RuntimeError):
    """The record has changed since what the command was about."""


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """Something the referee wants done."""


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who takes a seat. allowance_ms: taken off each of the seat's times before they are compared."""

    colour: Colour
    name: str | None = None
    allowance_ms: AllowanceMs = 0


class NewMatch(Command, frozen=True, tag="match"):
    """Begin a match. game: None for that of the seating. first: None for the first seat. window_ms: None for what the
    box is set to. files: None for those of the seating, where it is of the same game.

    abandon: give up a match that runs or is offered for resuming. practice: pages explain each ruling.
    """

    seats: Annotated[tuple[Player, ...], msgspec.Meta(min_length=1, max_length=5)]
    game: Name | None = None
    first: Colour | None = None
    variants: Annotated[tuple[Name, ...], msgspec.Meta(max_length=20)] = ()
    parameters: Annotated[dict[str, bool | int | str], msgspec.Meta(max_length=50)] = msgspec.field(
        default_factory=dict
    )
    files: Annotated[dict[str, SetupFile], msgspec.Meta(max_length=10)] | None = None
    dead_heat: DeadHeat = "timestamp"
    window_ms: WindowMs | None = None
    abandon: bool = False
    practice: bool = False


class Consent(Command, frozen=True, tag="consent"):
    """Agree to the allowances for a seat, which has told whoever does so; the match begins once all have agreed."""

    seat: Colour
    by: Name


class EnterCard(Command, frozen=True, tag="reveal"):
    """A card lies face up, now. seat: whoever says so from a seat's own panel: its turn it must be; None: a referee."""

    card: Name
    seat: Colour | None = None
    seen: LineNumber | None = None


class AnotherCard(Command, frozen=True, tag="another-card"):
    """Another card than was entered lay face up when the newest judged race began: it is judged again with it."""

    card: Name
    by: Name
    seen: LineNumber | None = None


class NoCard(Command, frozen=True, tag="no-card"):
    """No card was turned that has not been entered."""

    seen: LineNumber | None = None


class CloseRace(Command, frozen=True, tag="close"):
    """The race takes no more presses, from now on."""

    seen: LineNumber | None = None


class Choose(Command, frozen=True, tag="choose"):
    """Choose for whoever may decide: exactly one of the ways that the offer asks for.

    kind, seat: which offer; None: the first that must be decided, or, with `option`, whichever has it. option: the key
    of an option. number: where one is to be entered. steps: the values of a choice of many fields. roll: let the box
    roll or draw. result: what was rolled or drawn by hand.
    """

    kind: Name | None = None
    seat: Colour | None = None
    option: Text | None = None
    number: int | None = None
    steps: Annotated[tuple[Name, ...], msgspec.Meta(max_length=50)] | None = None
    roll: bool = False
    result: Annotated[tuple[Name, ...], msgspec.Meta(max_length=200)] | None = None
    seen: LineNumber | None = None


class PickItem(Command, frozen=True, tag="pick"):
    """Pick item `item`, from 0, of what `seat` is asked now, as its own page lists it; `label`: what it says there."""

    seat: Colour
    item: Annotated[int, msgspec.Meta(ge=0, le=1000)]
    label: Text


class SetByHand(Command, frozen=True, tag="by-hand"):
    """Set what the game lists as adjustable: `set` is its key."""

    set: Name
    value: int
    reason: Text
    by: Name
    seen: LineNumber | None = None


class WasPlay(Command, frozen=True, tag="was-play"):
    """The button that named the newest card was a play."""

    seen: LineNumber | None = None


class TakeBack(Command, frozen=True, tag="undo"):
    """Take back line `line`, which must be the newest that stands; 0 stands for presses that wait for their card.

    reason, by: None where they are told later (`ExplainUndo`), or by nobody.
    """

    line: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]
    reason: Text | None = None
    by: Name | None = None


class ExplainUndo(Command, frozen=True, tag="undo-reason"):
    """Why `lines` were taken back, told afterwards: a remark in the record."""

    lines: Annotated[tuple[LineNumber, ...], msgspec.Meta(min_length=1, max_length=50)]
    reason: Text
    by: Name | None = None


class Change(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"lines": "with"}):
    """What stands in the place of line `line`: lines as the record has them; none takes the line out.

    before: they are put before that line, which stays; the line after the newest is the end of the record.
    """

    line: LineNumber
    lines: Annotated[tuple[dict[str, Any], ...], msgspec.Meta(max_length=20)]
    before: bool = False


Changes = Annotated[tuple[Change, ...], msgspec.Meta(min_length=1, max_length=50)]


class ReplaceCall(Command, frozen=True, tag="replace"):
    """Change earlier lines; later ones that still fit stand again after them."""

    changes: Changes
    reason: Text
    by: Name
    seen: LineNumber


class PreviewReplace(Command, frozen=True, tag="preview"):
    """What `ReplaceCall` would lead to; changes nothing."""

    changes: Changes
    seen: LineNumber | None = None


class ForNewCard(Command, frozen=True, tag="for-new-card"):
    """The ignored press of line `line` was for the newest card: it counts from there on, at its own time."""

    line: LineNumber
    by: Name
    seen: LineNumber | None = None


class PreviewForNewCard(Command, frozen=True, tag="preview-for-new-card"):
    """What `ForNewCard` would lead to; changes nothing."""

    line: LineNumber
    seen: LineNumber | None = None


class EndMatch(Command, frozen=True, tag="end"):
    """The match is over."""

    seen: LineNumber | None = None


class CallPlayer(Command, frozen=True, tag="call"):
    """Whoever is called `name` is called `to` from now on, wherever the seating knows the name; None: no more."""

    name: Name
    to: Name | None = None


class LeaveMatch(Command, frozen=True, tag="leave"):
    """The end was seen: back to the seating."""


class AnswerOffer(Command, frozen=True, tag="resume"):
    """Take the match up that was cut off, or leave it."""

    resume: bool


class AddRemark(Command, frozen=True, tag="remark"):
    """A note in the record; decides nothing."""

    text: Text
    by: Name | None = None


class MakeProtest(Command, frozen=True, tag="protest"):
    """A seat disputes a race: the newest that is judged, where none is named."""

    colour: Colour
    race: LineNumber | None = None
    text: Text | None = None


class AnswerProtest(Command, frozen=True, tag="answer"):
    """The answer to the protest of line `protest`. stands: the disputed ruling does."""

    protest: LineNumber
    text: Text
    stands: bool
    by: Name


class SignResult(Command, frozen=True, tag="sign"):
    """A seat accepts the result."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Done:
    """A command was carried out. says: what was done, in a few words. preview: of a replacement."""

    says: str
    preview: Preview | None = None


AnyCommand = (
    NewMatch | Consent | EnterCard | AnotherCard | NoCard | CloseRace | Choose | SetByHand | WasPlay | TakeBack
    | ExplainUndo | ReplaceCall | PreviewReplace | ForNewCard | PreviewForNewCard | EndMatch | LeaveMatch | AnswerOffer
    | AddRemark | MakeProtest | AnswerProtest | SignResult | CallPlayer | PickItem
)  # fmt: skip


REPLACING = (ReplaceCall, PreviewReplace, ForNewCard, PreviewForNewCard)
"""What changes earlier lines, and so tells of them."""


class At(NamedTuple):
    """When a command was asked for: at `t_ns` ± `error_ns`, None where nobody can say how surely."""

    t_ns: int
    error_ns: int | None


def perform(session: Session, command: Command, t_ns: int, error_ns: int | None = None) -> Done:
    """Carry a command out, asked for at `t_ns`. Raises a CompanionError where it cannot be; nothing changes then.

    error_ns: the ± of that for a choice whose instant matters; None: nobody has timed it.
    """
    at = At(t_ns, error_ns)
    match command:
        case NewMatch():
            return _new_match(session, command)
        case Consent():
            session.consent(command.seat, command.by)
            return Done(f"{command.by} agrees for {command.seat}")
        case AnswerOffer():
            return _answer_offer(session, resume=command.resume)
        case CallPlayer() | LeaveMatch() | PickItem():
            return _in_stage(session, command, at)
    match = session.match
    if match is None:
        raise Illegal("no match is running")
    seen = getattr(command, "seen", None)
    _verify_seen(seen, match.history)
    if isinstance(command, REPLACING) and veil.veil_of(match) is not None:
        raise Illegal(STILL_HIDDEN)
    if isinstance(command, (PreviewReplace, PreviewForNewCard)):
        return preview_of(match.judge.fresh(), match.judge.outcome(), match.history, command)
    done = _in_match(match, command, at)
    session.changed_elsewhere(done.says)
    return done


def _verify_seen(seen: int | None, history: History) -> None:
    """Raise Changed where lines have come that decide something; notes (a seal, evidence) come by themselves."""
    lines = len(history)
    if seen is not None and (seen > lines or any(not isinstance(told.line, NOTES) for told in history[seen:])):
        raise Changed(f"the record has {lines} lines by now, not {seen}: look at it again")


def preview_of(trial: Judge, before: Ruling, history: History, command: PreviewReplace | PreviewForNewCard) -> Done:
    """Work out what a replacement leads to (`preview`); changes nothing. Raises Malformed, Illegal or Changed."""
    _verify_seen(command.seen, history)
    if isinstance(command, PreviewReplace):
        return Done(NOTHING_CHANGED, preview(trial, before, history, _edits(command)))
    outcome = preview(trial, before, history, edits_for_new_card(history, command.line))
    verify_counts(outcome)
    return Done(NOTHING_CHANGED, outcome)


def scan_card(session: Session, match: Match, turned: HeldCard) -> Done:
    """Enter a card that a scanner saw being turned. Raises Illegal where it cannot be there."""
    says = card_says(match.game.deck, turned.card)
    until = "the race is judged" if match.race is not None else "what is asked is chosen"
    done = Done(f"revealed: {says}" if turn(match, turned) else f"{says} waits until {until}")
    session.changed_elsewhere(done.says)
    return done


def _new_match(session: Session, command: NewMatch) -> Done:
    game = command.game or session.table.game
    colours = tuple(seat.colour for seat in command.seats)
    table = replace(
        session.table,
        game=game,
        seats=colours,
        first=command.first,
        variants=command.variants,
        dead_heat=command.dead_heat,
        names={seat.colour: seat.name for seat in command.seats if seat.name},
        allowances_ms={seat.colour: seat.allowance_ms for seat in command.seats},
        parameters=command.parameters,
        files=command.files if command.files is not None else _seated_files(session.table, game),
        practice=command.practice,
    )
    if command.window_ms is not None:
        table = replace(table, window_ns=command.window_ms * MS)
    for name in (seat.name or "" for seat in command.seats):
        if len(name) > NAME_LENGTH or not name.isprintable():
            raise Malformed(f"field `name`: {name!r}: at most {NAME_LENGTH} characters that can be shown")
    if len(set(colours)) < len(colours):
        raise Illegal("field `seats`: two seats have the same colour")
    if command.variants and not variants_of(session.find_game(game).parameters):
        raise Malformed(f"field `variants`: {game} has no variants; leave the field out")
    session.begin(table, abandon=command.abandon)
    waits = "" if session.match is not None else "; every seat agrees to the allowances first"
    return Done(f"a new match: {', '.join(colours)}{waits}")


def _seated_files(table: Table, game: str) -> Mapping[str, SetupFile]:
    return table.files if table.game == game else {}


def _answer_offer(session: Session, *, resume: bool) -> Done:
    if not session.is_offering:
        raise Illegal("no match was cut off that could be taken up")
    if resume:
        session.resume()
        return Done("the match goes on")
    session.decline()
    return Done("the match that was cut off is left as it is")


def _in_stage(session: Session, command: CallPlayer | LeaveMatch | PickItem, at: At) -> Done:
    if isinstance(command, PickItem):
        return Done(session.pick_item(command.seat, command.item, command.label, *at))
    if isinstance(command, LeaveMatch):
        session.leave()
        return Done("back to the seating")
    session.call_player(command.name, command.to or "")
    return Done(f"{command.name} is called {command.to}" if command.to else f"{command.name} has no seat any more")


def _in_match(match: Match, command: Command, at: At) -> Done:
    match command:
        case Choose():
            return _choose(match, command, at)
        case TakeBack():
            return _take_back(match, command)
        case AnotherCard():
            outcome = another_card(match, command.card, at.t_ns, command.by)
            return Done(f"judged again with: {card_says(match.game.deck, command.card)}, by {command.by}", outcome)
        case ReplaceCall():
            outcome = match.replace(_edits(command), command.reason, command.by)
            return Done(f"replaced: line {min(change.line for change in command.changes)}", outcome)
        case ForNewCard():
            outcome = for_new_card(match, command.line, command.by)
            return Done(f"line {command.line} counts for the new card, by {command.by}", outcome)
    return Done(_disputed(match, command) or _done(match, command, at.t_ns))


def _disputed(match: Match, command: Command) -> str:
    """Carry out what decides nothing: a protest, an answer, a signature; empty for any other command."""
    match command:
        case MakeProtest(colour=colour, race=race, text=text):
            return protest(match, colour, race, text)
        case AnswerProtest():
            return answer(match, command.protest, command.text, command.by, stands=command.stands)
        case SignResult(colour=colour):
            return sign(match, colour)
    return ""


def _done(match: Match, command: Command, t_ns: int) -> str:
    """Carry out what needs no answer, and say what was done."""
    says = "done"
    match command:
        case EnterCard():
            _verify_turn(match, command.seat)
            match.reveal(Option(command.card, Reveal(card=command.card)), t_ns)
            says = f"revealed: {card_says(match.game.deck, command.card)}"
        case NoCard():
            _no_card(match)
            says = "no card was turned"
        case CloseRace():
            match.close(t_ns)
            says = "closed"
        case SetByHand():
            match.choose(ByHand(set=command.set, value=command.value, reason=command.reason, by=command.by), t_ns)
            says = f"set by hand: {command.set} is {command.value}"
        case WasPlay():
            match.was_play()
            says = "the button was a play"
        case EndMatch():
            match.end()
            says = "the match is over"
        case AddRemark():
            _verify_person(command.by)
            match.remark(command.text, command.by)
            says = "noted"
        case ExplainUndo():
            _verify_person(command.by)
            explain(match, command.lines, command.reason, command.by)
            says = f"noted: {command.reason}"
    return says


def _verify_turn(match: Match, seat: Colour | None) -> None:
    """See that a seat may say which card was turned: in games in which one turns, no other."""
    turn = match.view().turn
    if seat is not None and turn not in (None, seat):
        raise Illegal(f"{turn} turns the cards now, so {turn} or the referee enters which it was")


def _verify_person(by: str | None) -> None:
    if label_of(by or "") in BUTTON_BY_LABEL:
        raise Illegal(f"field `by`: {by} is a button of the box, whose remarks tell of presses")


def _no_card(match: Match) -> None:
    if not match.stage.asks_card and not match.early:
        raise Illegal("nothing waits for a card")
    match.no_card()


def _choose(match: Match, command: Choose, at: At) -> Done:
    offer = _offer(match, command)
    if offer.number is not None:
        return _choose_number(match, offer, offer.number, command.number, at)
    if offer.chance is not None:
        return _roll(match, Roll(offer, command.result), command, at.t_ns)
    if offer.is_stepped:
        return _choose_steps(match, offer, command.steps or (), at)
    option = next((o for o in offer.options if o.key == command.option), None)
    if option is None:
        offered = ", ".join(repr(o.key) for o in offer.options)
        raise Illegal(f"field `option`: {command.option!r} is not on offer; on offer: {offered}")
    match.choose(option.line, *at)
    return Done(f"chosen: {option.label}" if not offer.is_private else "chosen")


def _offer(match: Match, command: Choose) -> Offer:
    """Give the offer that is meant. Raises Illegal where there is none."""
    offers = match.offers()
    if command.kind is not None:
        offers = tuple(o for o in offers if (o.kind, o.seat) == (command.kind, command.seat))
    elif command.option is not None and (having := [o for o in offers if _has(o, command.option)]):
        offers = tuple(having)
    else:
        offers = tuple(o for o in offers if o.required)
    if not offers:
        raise Illegal("nothing is to be chosen now" if command.kind is None else "that is not to be chosen now")
    return offers[0]


def _has(offer: Offer, key: str) -> bool:
    return any(option.key == key for option in offer.options)


def _choose_number(match: Match, offer: Offer, entry: NumberEntry, number: int | None, at: At) -> Done:
    if number is None or not entry.low <= number <= entry.high:
        raise Illegal(f"field `number`: choose a number from {entry.low} to {entry.high}")
    match.choose(entry.line(number), *at)
    return Done(f"chosen: {number}" if not offer.is_private else "chosen")


def _roll(match: Match, roll: Roll, command: Choose, t_ns: int) -> Done:
    if command.roll == (command.result is not None):
        raise Illegal("field `roll`: let the box roll, or enter the `result` of a roll by hand: one of them")
    match.roll(roll.offer, roll.result, t_ns)
    return Done("rolled")


def next_step(game: AnyGame, state: Any, offer: Offer, steps: tuple[str, ...]) -> Step | Line:
    """Give the next field of a stepped offer, or the complete line. Raises Illegal where a value is not on offer."""
    for count, value in enumerate(steps):
        step = game.step(state, offer, steps[:count])
        values = [one.key for one in step.values] if isinstance(step, Step) else []
        if value not in values:
            raise Illegal(f"field `steps`: {value!r} is not on offer; on offer: {', '.join(values) or 'nothing more'}")
    return game.step(state, offer, steps)


def _choose_steps(match: Match, offer: Offer, steps: tuple[str, ...], at: At) -> Done:
    """Choose by the values of every field. Raises Illegal where one is not on offer or some are missing."""
    done = next_step(match.game, match.judge.state, offer, steps)
    if isinstance(done, Step):
        raise Illegal(f"field `steps`: {done.prompt} is missing: {', '.join(one.key for one in done.values)}")
    match.choose(done, *at)
    return Done(f"chosen: {match.game.describe(done)}" if not offer.is_private else "chosen")


def _take_back(match: Match, command: TakeBack) -> Done:
    doing = match.history.newest_doing()
    if doing is None and not match.early:
        raise Illegal(NOTHING_TO_UNDO)
    newest = 0 if doing is None or match.early else doing.number
    if command.line != newest:
        raise Changed(f"line {newest} is the newest that stands by now, not {command.line}: look at it again")
    if match.early:
        number = len(match.early)
        match.no_card()
        verb = "does" if number == 1 else "do"
        match.remark(f"{without_card(number)} {verb} not count{_because(command)}", command.by)
        return Done(f"taken back: {without_card(number)}")
    said = veil.says(match, match.history[newest - 1])
    match.undo(command.reason, command.by)
    by = f" by {command.by}" if command.by else ""
    why = f" ({command.reason})" if command.reason else ""
    return Done(f'taken back{by}: "{said}"{why}')


def _because(command: TakeBack) -> str:
    return f": {command.reason}" if command.reason else ""


def _edits(command: PreviewReplace | ReplaceCall) -> tuple[Edit, ...]:
    return tuple(Edit(change.line, change.lines, change.before) for change in command.changes)
