"""Everything a referee's desk can ask of the session, as values: what is meant, not how it came (HTTP, a test).

Each is read strictly (unknown fields are errors) and carried out by `perform`, with the same code that the buttons and
the record use: a command that cannot be carried out raises a CompanionError and changes nothing. Knows no wire, no
device and no game by name.

`seen`: how many lines the record had when whoever asks last looked; with it, what was meant for an older state is
refused as `Changed`, unless only notes have come since. None: whatever the state is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import msgspec

from companion.core.assigning.dialogue import called
from companion.core.calibration.asking import Step as CalibrationStep
from companion.core.calibration.asking import take_step
from companion.core.calibration.trials import Way
from companion.core.errors import CompanionError, Illegal, Malformed
from companion.core.hands.choosing import Roll
from companion.core.match import laying, veil
from companion.core.match.announcing import revealed_says, withdraw
from companion.core.match.corrections.another_card import another_card
from companion.core.match.corrections.disputing import answer, protest, sign
from companion.core.match.corrections.new_card import edits_for_new_card, for_new_card, verify_counts
from companion.core.match.corrections.reasons import explain
from companion.core.match.held_cards import HeldCard, turn
from companion.core.match.match_record import NOTHING_TO_UNDO
from companion.core.match.waiting.early_presses import without_card
from companion.core.panel import BUTTON_BY_LABEL, KNOB_PUSH, Colour, label_of
from companion.core.people.names import NAME_LENGTH
from companion.core.record.dead_heats import policies_of
from companion.core.record.lines import NOTES, AllowanceMs, ByHand, DeadHeat, Reveal, SetupFile, TimingMode
from companion.core.ruling.looks import card_says
from companion.core.ruling.offers import Option, Step
from companion.core.ruling.parameters import variants_of
from companion.core.ruling.replacing import Edit, preview
from companion.core.timing.events import MS
from companion.core.words import texts

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
STILL_HIDDEN = texts.text("the presses of the race that runs are not to be seen yet: close it first")
WindowMs = Annotated[int, msgspec.Meta(ge=500, le=120_000)]


NOTHING_CHANGED = texts.text("nothing has been changed")


class Changed(CompanionError, RuntimeError):
    """The record has changed since what the command was about."""


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """Something the referee wants done."""


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who takes a seat. allowance_ms: taken off each of the seat's times before they are compared.

    by_profile: whoever has this name plays by a profile of their own, whose allowance is then the seat's.
    """

    colour: Colour
    name: str | None = None
    allowance_ms: AllowanceMs = 0
    by_profile: bool = False


class NewMatch(Command, frozen=True, tag="match"):
    """Begin a match. game: None for that of the seating. first: None for the first seat. window_ms: None for what the
    box is set to. dead_heat: None for the usual policy: the earlier time, or clockwise where there are no times. files:
    None for those of the seating, where it is of the same game.

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
    dead_heat: DeadHeat | None = None
    timing: TimingMode = "race"
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
    """Take back line `line`, which must be the newest that stands; 0 stands for presses that wait for their card, and
    for cards that lie face down.

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


class PlayNone(Command, frozen=True, tag="none"):
    """A seat plays no card this time, in an untimed match."""

    seat: Colour
    seen: LineNumber | None = None


class CardFor(Command, frozen=True, tag="card-for"):
    """The card of a seat that picks it by a switch is entered for it, by the game's word for its button."""

    seat: Colour
    role: Annotated[str, msgspec.Meta(max_length=100)]
    seen: LineNumber | None = None


class EndMatch(Command, frozen=True, tag="end"):
    """The match is over."""

    seen: LineNumber | None = None


class CallPlayer(Command, frozen=True, tag="call"):
    """Whoever is called `name` is called `to` from now on, wherever the seating knows the name; None: no more."""

    name: Name
    to: Name | None = None


class SitDown(Command, frozen=True, tag="sit"):
    """Have a person sit at a seat that is taken, by a profile of their own where they have one; None: nobody."""

    seat: Colour
    name: Name | None = None


class TurnSound(Command, frozen=True, tag="sound"):
    """Have the buzzer be heard, or silent, until somebody switches it again. It changes no record."""

    on: bool


class Calibrate(Command, frozen=True, tag="calibrate"):
    """Measure the allowance of `player` against the others that have seats."""

    player: Colour


class StepCalibration(Command, frozen=True, tag="calibration"):
    """What the knob can do while an allowance is measured.

    seat: which seat leaves, or plays otherwise. way: how it plays.
    """

    step: CalibrationStep
    seat: Colour | None = None
    way: Way | None = None


class AgreeToMeasured(Command, frozen=True, tag="agree"):
    """What a seat says of a measured allowance, by whoever it has told."""

    seat: Colour
    agrees: bool = True


class AskInput(Command, frozen=True, tag="input"):
    """Have what shall be a button be pressed now, at the box; None: nothing more is awaited.

    forget: what was assigned to the button is taken away from it instead.
    """

    button: Literal[(*BUTTON_BY_LABEL, KNOB_PUSH)] | None  # type: ignore[valid-type]  # read from the panel
    forget: bool = False


class LeaveMatch(Command, frozen=True, tag="leave"):
    """The end was seen: back to the seating."""


class Dismiss(Command, frozen=True, tag="dismiss"):
    """Take away what stands on the box's display until somebody dismisses it."""


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
    | PlayNone | CardFor | AddRemark | MakeProtest | AnswerProtest | SignResult | CallPlayer | PickItem | AskInput
    | SitDown | TurnSound | Dismiss
    | Calibrate | StepCalibration | AgreeToMeasured
)  # fmt: skip


AnyStaged = (
    AskInput | CallPlayer | LeaveMatch | PickItem | SitDown | TurnSound | Dismiss | Calibrate | StepCalibration
    | AgreeToMeasured
)  # fmt: skip
"""What is asked of another stage than a match that runs."""

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
            return Done(texts.text("{by} agrees for {colour}").format(by=command.by, colour=command.seat))
        case AnswerOffer():
            return _answer_offer(session, resume=command.resume)
        case (
            AskInput() | CallPlayer() | LeaveMatch() | PickItem() | SitDown() | TurnSound() | Dismiss() | Calibrate()
            | StepCalibration() | AgreeToMeasured()
        ):  # fmt: skip
            return _in_stage(session, command, at)
    match = session.match
    if match is None:
        raise Illegal(texts.text("no match is running"))
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
        why = texts.text("the record has {lines} lines by now, not {seen}: look at it again")
        raise Changed(why.format(lines=lines, seen=seen))


def preview_of(trial: Judge, before: Ruling, history: History, command: PreviewReplace | PreviewForNewCard) -> Done:
    """Work out what a replacement leads to (`preview`); changes nothing. Raises Malformed, Illegal or Changed."""
    _verify_seen(command.seen, history)
    if isinstance(command, PreviewReplace):
        return Done(NOTHING_CHANGED, preview(trial, before, history, _edits(command)))
    outcome = preview(trial, before, history, edits_for_new_card(history, command.line))
    verify_counts(outcome)
    return Done(NOTHING_CHANGED, outcome)


def scan_card(session: Session, match: Match, turned: HeldCard, seat: Colour | None = None) -> Done:
    """Enter a card that was scanned. Raises Illegal where it cannot be there, or is not that seat's to enter.

    seat: whose phone read it, None for a device of the box or the referee's.
    """
    _verify_turn(match, seat)
    says = card_says(match.game.deck, turned.card)
    if match.race is not None:
        waits = texts.text("{card} waits until the race is judged")
    else:
        waits = texts.text("{card} waits until what is asked is chosen")
    done = Done(revealed_says(match, says) if turn(match, turned) else waits.format(card=says))
    session.changed_elsewhere(done.says)
    return done


def _new_match(session: Session, command: NewMatch) -> Done:
    game = command.game or session.table.game
    colours = tuple(seat.colour for seat in command.seats)
    before, allowances = session.table, {seat.colour: seat.allowance_ms for seat in command.seats}
    old = before.allowances_ms or {}
    table = replace(
        before,
        game=game,
        seats=colours,
        first=command.first,
        variants=command.variants,
        dead_heat=command.dead_heat or policies_of(is_untimed=command.timing == "untimed")[0],
        timing=command.timing,
        names={seat.colour: seat.name for seat in command.seats if seat.name},
        allowances_ms=allowances,
        lent_ms={seat: ms for seat, ms in before.lent_ms.items() if allowances.get(seat) == old[seat]},
        parameters=command.parameters,
        files=command.files if command.files is not None else _seated_files(session.table, game),
        practice=command.practice,
        by_profile=frozenset(seat.colour for seat in command.seats if seat.by_profile),
        event=before.event if (before.game, before.seats) == (game, colours) else None,
    )
    if command.window_ms is not None:
        table = replace(table, window_ns=command.window_ms * MS)
    for name in (seat.name or "" for seat in command.seats):
        if len(name) > NAME_LENGTH or not name.isprintable():
            raise Malformed(f"field `name`: {name!r}: at most {NAME_LENGTH} characters that can be shown")
    if len(set(colours)) < len(colours):
        raise Illegal(texts.text("two seats have the same colour"))
    if command.variants and not variants_of(session.find_game(game).parameters):
        raise Malformed(f"field `variants`: {game} has no variants; leave the field out")
    _verify_profiles(command)
    session.begin(table, abandon=command.abandon)
    if session.match is not None:
        says = texts.text("a new match: {colours}")
    else:
        says = texts.text("a new match: {colours}; every seat agrees to the allowances first")
    return Done(says.format(colours=texts.joined(colour.says for colour in colours)))


def _verify_profiles(command: NewMatch) -> None:
    for seat in command.seats:
        if seat.by_profile and (not seat.name or seat.allowance_ms):
            raise Malformed(f"field `by_profile`: {seat.colour} needs a name, and its allowance is the profile's")


def _seated_files(table: Table, game: str) -> Mapping[str, SetupFile]:
    return table.files if table.game == game else {}


def _ask_input(session: Session, command: AskInput) -> Done:
    session.ask_input(command.button, forget=command.forget)
    if command.button is None:
        return Done(texts.text("nothing is awaited any more"))
    asked = texts.text("press what shall be {button}")
    says = texts.text("{button} loses what was assigned to it") if command.forget else asked
    return Done(says.format(button=called(command.button)))


def _answer_offer(session: Session, *, resume: bool) -> Done:
    if not session.is_offering:
        raise Illegal(texts.text("no match was cut off that could be taken up"))
    if resume:
        session.resume()
        return Done(texts.text("the match goes on"))
    session.decline()
    return Done(texts.text("the match that was cut off is left as it is"))


def _in_stage(session: Session, command: AnyStaged, at: At) -> Done:  # noqa: PLR0911 - one return for each command
    if isinstance(command, (Calibrate, StepCalibration, AgreeToMeasured)):
        return Done(_calibrated(session, command))
    if isinstance(command, AskInput):
        return _ask_input(session, command)
    if isinstance(command, SitDown):
        return Done(session.sit(command.seat, command.name))
    if isinstance(command, TurnSound):
        session.sounds.is_on = command.on
        silent = texts.text("the box is silent until its sound is switched on again")
        return Done(texts.text("the box sounds") if command.on else silent)
    if isinstance(command, Dismiss):
        session.dismiss()
        return Done(texts.text("dismissed"))
    if isinstance(command, PickItem):
        return Done(session.pick_item(command.seat, command.item, command.label, *at))
    if isinstance(command, LeaveMatch):
        session.leave()
        return Done(texts.text("back to the seating"))
    session.call_player(command.name, command.to or "")
    says = texts.text("{name} is called {to}") if command.to else texts.text("{name} has no seat any more")
    return Done(says.format(name=command.name, to=command.to))


def _calibrated(session: Session, command: Calibrate | StepCalibration | AgreeToMeasured) -> str:
    """Carry out what is about an allowance's measuring, and say what was done."""
    if isinstance(command, Calibrate):
        session.measuring.open(session.table.seats, session.table.names or {}, command.player)
        return texts.text("the allowance of {seat} is measured").format(seat=command.player)
    calibrating = session.measuring.menu
    if isinstance(command, StepCalibration):
        return take_step(calibrating, command.step, command.seat, command.way)
    calibrating.agree(command.seat, agrees=command.agrees)
    return (texts.text("{seat} agrees") if command.agrees else texts.text("{seat} does not agree")).format(
        seat=command.seat
    )


def _in_match(match: Match, command: Command, at: At) -> Done:
    match command:
        case Choose():
            return _choose(match, command, at)
        case TakeBack():
            return _take_back(match, command)
        case AnotherCard():
            outcome = another_card(match, command.card, at.t_ns, command.by)
            says = texts.text("judged again with: {card}, by {by}")
            return Done(says.format(card=card_says(match.game.deck, command.card), by=command.by), outcome)
        case ReplaceCall():
            outcome = match.replace(_edits(command), command.reason, command.by)
            first = min(change.line for change in command.changes)
            return Done(texts.text("replaced: line {line}").format(line=first), outcome)
        case ForNewCard():
            outcome = for_new_card(match, command.line, command.by)
            says = texts.text("line {line} counts for the new card, by {by}")
            return Done(says.format(line=command.line, by=command.by), outcome)
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
    says: str = texts.text("done")
    match command:
        case EnterCard():
            _verify_turn(match, command.seat)
            match.reveal(Option(command.card, Reveal(card=command.card)), t_ns)
            says = revealed_says(match, card_says(match.game.deck, command.card))
        case NoCard():
            _no_card(match)
            says = texts.text("no card was turned")
        case CloseRace():
            match.close(t_ns)
            says = texts.text("closed")
        case PlayNone() | CardFor():
            says = _for_seat(match, command, t_ns)
        case SetByHand():
            what = _thing(match, command.set)
            match.choose(ByHand(set=command.set, value=command.value, reason=command.reason, by=command.by), t_ns)
            says = texts.text("set by hand: {what} is {value}").format(what=what, value=command.value)
        case WasPlay():
            match.was_play()
            says = texts.text("the button was a play")
        case EndMatch():
            match.end()
            says = texts.text("the match is over")
        case AddRemark():
            _verify_person(command.by)
            match.remark(command.text, command.by)
            says = texts.text("noted")
        case ExplainUndo():
            _verify_person(command.by)
            explain(match, command.lines, command.reason, command.by)
            says = texts.text("noted: {reason}").format(reason=command.reason)
    return says


def _thing(match: Match, key: str) -> str:
    """Give what is set by hand by its name in the record, which other languages say as the game labels it."""
    labels = {one.key: one.label for one in match.game.adjustable(match.judge.state)}
    return texts.named(key, labels.get(key, key))


def _verify_turn(match: Match, seat: Colour | None) -> None:
    """See that a seat may say which card was turned: in games in which one turns, no other."""
    turn = match.view().turn
    if seat is not None and turn not in (None, seat):
        why = texts.text("{colour} turns the cards now, so {colour} or the referee enters which it was")
        raise Illegal(why.format(colour=turn))


def _verify_person(by: str | None) -> None:
    if label_of(by or "") in BUTTON_BY_LABEL:
        raise Illegal(f"field `by`: {by} is a button of the box, whose remarks tell of presses")


def _for_seat(match: Match, command: PlayNone | CardFor, t_ns: int) -> str:
    if isinstance(command, CardFor):
        return _card_for(match, command.seat, command.role)
    return laying.play_none(match, command.seat, t_ns)


def _card_for(match: Match, seat: Colour, role: str) -> str:
    """Enter the card of a seat that picks it by a switch, and say so, but not which: others may not see it yet."""
    if role not in match.game.roles:
        known = ", ".join(match.game.roles)
        raise Illegal(texts.text("there is no button {role}: it is one of {known}").format(role=role, known=known))
    match.fix(seat, match.game.roles.index(role), f"the referee entered the card of {seat}, which was picking it")
    return texts.text("{colour}: the card is entered").format(colour=seat.short)


def _no_card(match: Match) -> None:
    if not match.stage.asks_card and not match.early:
        raise Illegal(texts.text("nothing waits for a card"))
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
    return _chosen(offer, option.label)


def _chosen(offer: Offer, what: object) -> Done:
    """Say what was chosen; of a private choice nothing but that."""
    return Done(texts.text("chosen") if offer.is_private else texts.text("chosen: {what}").format(what=what))


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
        raise Illegal(
            texts.text("nothing is to be chosen now")
            if command.kind is None
            else texts.text("that is not to be chosen now")
        )
    return offers[0]


def _has(offer: Offer, key: str) -> bool:
    return any(option.key == key for option in offer.options)


def _choose_number(match: Match, offer: Offer, entry: NumberEntry, number: int | None, at: At) -> Done:
    if number is None or not entry.low <= number <= entry.high:
        raise Illegal(f"field `number`: choose a number from {entry.low} to {entry.high}")
    match.choose(entry.line(number), *at)
    return _chosen(offer, number)


def _roll(match: Match, roll: Roll, command: Choose, t_ns: int) -> Done:
    if command.roll == (command.result is not None):
        raise Illegal("field `roll`: let the box roll, or enter the `result` of a roll by hand: one of them")
    match.roll(roll.offer, roll.result, t_ns)
    return Done(texts.text("rolled"))


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
    return _chosen(offer, match.game.describe(done))


def _take_back(match: Match, command: TakeBack) -> Done:
    doing = match.history.newest_doing()
    waits = bool(match.early or match.face_down or match.announced)
    if doing is None and not waits:
        raise Illegal(NOTHING_TO_UNDO)
    newest = 0 if doing is None or waits else doing.number
    if command.line != newest:
        why = texts.text("line {newest} is the newest that stands by now, not {line}: look at it again")
        raise Changed(why.format(newest=newest, line=command.line))
    if match.early:
        number = len(match.early)
        match.no_card()
        verb = "does" if number == 1 else "do"
        match.remark(f"{without_card(number)} {verb} not count{_because(command)}", command.by)
        return Done(texts.text("taken back: {what}").format(what=without_card(number)))
    if match.announced is not None:
        withdraw(match)
        return Done(texts.text("announced no more"))
    if match.face_down:
        lay = laying.says(laying.take_up(match))
        match.remark(f"taken up again: {lay}{_because(command)}", command.by)
        return Done(texts.text("taken up again: {cards}").format(cards=lay))
    said = veil.says(match, match.history[newest - 1])
    match.undo(command.reason, command.by)
    if command.by:
        says = texts.text('taken back by {by}: "{says}"').format(by=command.by, says=said)
    else:
        says = texts.text('taken back: "{says}"').format(says=said)
    return Done(texts.joined((says, f"({command.reason})"), " ") if command.reason else says)


def _because(command: TakeBack) -> str:
    return f": {command.reason}" if command.reason else ""


def _edits(command: PreviewReplace | ReplaceCall) -> tuple[Edit, ...]:
    return tuple(Edit(change.line, change.lines, change.before) for change in command.changes)
