"""All there is to say of a session as it stands, sentence by sentence, each with a key: the program's one narrator.

Theory of operation. A fact is said when its key was not among the facts of the look before (`Narrator`; the pages do
the same with a state document's `spoken`). So nothing here remembers anything, a look at the box may be missed and the
next one is told right all the same, and a voice, a page read aloud and a screen reader say the same words. It is made
of what everybody may see (`PublicState`) and of nothing else: what is veiled, hidden or private has no way into it.
"""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.match.announcing import OF_THE_CARD
from companion.core.record.dead_heats import POLICIES
from companion.core.shown.scene import Choosing, Final, Lobby, LookOn, Question, Standing, Status
from companion.core.speech.utterance import Urgency
from companion.core.words.texts import Text, capital, joined, listed, text, texts
from companion.screens.speech.announced import by_buttons, item_says, must_choose, who_decides
from companion.screens.text.explaining import explained
from companion.screens.text.history import row_says
from companion.screens.text.wording import became, left

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.play.snapshot import RaceNow
    from companion.core.ruling.looks import Look
    from companion.core.ruling.view import Clock
    from companion.core.shown.scene import Menu, Row, Turn
    from companion.screens.everybody.public import PublicMatch, PublicState

Document = dict[str, Any]

_STATUS = {Status.FINAL: text("final"), Status.NOT_RECORDED: text("not recorded")}


class Wordiness(IntEnum):
    """How much is said."""

    BRIEF = 0
    """What decides: cards, orders without times, who must choose, alarms, the end."""
    NORMAL = 1
    FULL = 2
    """Scores and what lies face up after each race, and all that the knob's menu says."""


class Fact(NamedTuple):
    """Something that holds now. key: the same for as long as it is no news.

    brief: other words for it where little is said; None: it is not said then. full: only where much is said.
    at_box: said by the box's own voice, and by no page. group: of the same only the newest is worth saying (a menu's
    cursor); empty: of none.
    """

    key: str
    text: str
    urgency: Urgency
    brief: str | None = None
    full: bool = False
    at_box: bool = False
    group: str = ""

    def at(self, wordiness: Wordiness) -> str | None:
        """Give its words; None where it is not said."""
        if self.full and wordiness is not Wordiness.FULL:
            return None
        return self.brief if wordiness is Wordiness.BRIEF else self.text


CARD = "card "
"""How the key of the newest card begins."""
TITLE, KNOB = "title", "knob"
"""The groups of what a menu is about, and of what the knob, or a scan, is on in it."""
SAVING = "saving"
"""The key of a fact without words: something is being saved, and all that held a moment ago still does."""


def facts(public: PublicState) -> tuple[Fact, ...]:
    """Give all facts, in the order in which they are said."""
    if public.match is not None and public.match.progress.status is Status.SAVING:
        return (*_alarms(public), Fact(SAVING, "", Urgency.CHATTER))
    return (*_alarms(public), *_of_match(public), *_of_seating(public), *_at_knob(public))


def spoken_document(public: PublicState) -> list[Document]:
    """Give what pages say, as `spoken` of the state document."""
    return [
        {"key": fact.key, "says": fact.text, "urgency": fact.urgency.name.lower()}
        for fact in facts(public)
        if not fact.at_box and not fact.full
    ]


# -- faults ------------------------------------------------------------------------------------------------------------


def _alarms(public: PublicState) -> Iterator[Fact]:
    scene = public.scene
    for alarm in scene.alarms:
        said = text("Fault: {alarm}.").format(alarm=alarm)
        yield Fact(f"alarm {alarm}", said, Urgency.ALARM, said)
    if not scene.recorded:
        said = text("Fault: what is ruled is not recorded.")
        yield Fact("not recorded", said, Urgency.ALARM, said)


# -- a match -----------------------------------------------------------------------------------------------------------


def _of_match(public: PublicState) -> Iterator[Fact]:
    match = public.match
    if match is None:
        return
    yield from _newest_card(match)
    if match.race is not None:
        yield from _of_race(public, match, match.race)
    yield from _protests(match)
    yield from _choices(public, match)
    if isinstance(public.scene.body, Final):
        yield from _end(match)
    else:
        yield from _turn_to_play(match)
    yield from _clocks(public, match)


def _of_race(public: PublicState, match: PublicMatch, race: RaceNow) -> Iterator[Fact]:
    number, status = race.number, match.progress.status
    if not race.is_running and status in (Status.FINAL, Status.NOT_RECORDED):
        yield _order(match, race)
        for index, turn in enumerate(race.turns):
            if turn.result != "punished" or turn.cards:
                said = text("{sentence}.").format(sentence=capital(turn_says(turn, public.scene.look)))
                yield Fact(f"{number} turn {index} {said}", said, Urgency.RULING, said)
        yield from _why(match, race)
        yield from _afterwards(public, match, number)
        return
    for row in race.rows:
        yield Fact(
            f"{number} place {row.place} {row.colour} {row.role}", _placed(replace(row, verdict=None)), Urgency.NEWS
        )
    for colour in race.made:  # while nobody is to see which place that is
        said = text("{colour} has pressed.") if race.without is None else text("{colour} has laid a card.")
        yield Fact(f"{number} made {colour}", said.format(colour=capital(colour)), Urgency.NEWS)
    for colour in race.without or ():
        said = text("{colour} plays no card.").format(colour=capital(colour))
        yield Fact(f"{number} without {colour}", said, Urgency.NEWS)
    if isinstance(public.scene.body, Standing):
        for colour, role in public.scene.body.late:
            said = text("{colour} {role} was too late.").format(colour=capital(colour), role=role)
            yield Fact(f"{number} late {colour} {role}", said, Urgency.NEWS)


def _why(match: PublicMatch, race: RaceNow) -> Iterator[Fact]:
    """In a practice match, say why each place was ruled so."""
    if not match.game.is_practice:
        return
    for told in explained(race.rows, race.turns, POLICIES[match.game.dead_heat].label, {}):
        said = joined((text("{colour}:").format(colour=capital(told.colour)), *told.sentences), " ")
        yield Fact(f"{race.number} why {said}", said, Urgency.CHATTER)


def _newest_card(match: PublicMatch) -> Iterator[Fact]:
    """Say which card lies there; of a card that nobody may see yet the course says no more than that."""
    entries = (entry for entry in match.course.entries if entry["type"] == "reveal" and not entry["undone"])
    if (entry := next(entries, None)) is None:
        return
    said = joined((text("{sentence}.").format(sentence=capital(one)) for one in entry["says"]), " ")
    yield Fact(f"{CARD}{entry['line']} {said}", said, Urgency.NEWS, said)


def _order(match: PublicMatch, race: RaceNow) -> Fact:
    name, status = match.game.race_name, match.progress.status.value
    told = _STATUS.get(match.progress.status, status)
    head = text("{race_name} {number}, {status}.").format(race_name=name, number=race.number, status=told)
    said = joined([head, *(_numbered(row) for row in race.rows)], " ")
    brief = joined([head, *(_placed_briefly(row) for row in race.rows)], " ")
    return Fact(f"{race.number} order {status} {said}", said, Urgency.RULING, brief)


def _placed(row: Row) -> str:
    """Say a place as it comes about: "Red ace is first.", "2: blue ten +83.0 ms."."""
    is_plain = row.place == 1 and row.gap_ns == 0
    return text("{sentence}.").format(sentence=capital(row_says(row))) if is_plain else _numbered(row)


def _numbered(row: Row) -> str:
    return text("{number}: {place}.").format(number=row.place, place=row_says(row))


def _placed_briefly(row: Row) -> str:
    who = {"number": row.place, "colour": row.colour, "role": row.role}
    if row.verdict == "punish":
        return text("{number}: {colour} {role}, punished.").format(**who)
    return text("{number}: {colour} {role}.").format(**who)


def turn_says(turn: Turn, look: Look) -> str:
    """Say what became of a player: "red ace takes blue ten"."""
    return became(turn, look, joined((turn.colour.says, turn.role), " "))


def _afterwards(public: PublicState, match: PublicMatch, number: int) -> Iterator[Fact]:
    """Say how the table stands after a race, where much is said."""
    view, look = match.view, public.scene.look
    if view.table:
        cards = joined(look.counted(count, name) for name, count in view.table)
        yield Fact(
            f"{number} table {cards}", text("On the table: {cards}.").format(cards=cards), Urgency.CHATTER, full=True
        )
    scores = _scores(match)
    said = text("{label}: {scores}.").format(label=capital(view.score_label), scores=scores)
    yield Fact(f"{number} scores {scores}", said, Urgency.CHATTER, full=True)


def _scores(match: PublicMatch) -> str:
    return joined(text("{colour} {score}").format(colour=colour, score=score) for colour, score in match.view.scores)


def _protests(match: PublicMatch) -> Iterator[Fact]:
    for protest in match.course.protests:
        said = text("{sentence}.").format(sentence=capital(protest["says"]))
        yield Fact(f"protest {protest['line']}", said, Urgency.NEWS, said)
        if (answer := protest["answer"]) is not None:
            said = text("{sentence}.").format(sentence=capital(answer["says"]))
            yield Fact(f"answer {protest['line']} {said}", said, Urgency.RULING, said)


def _choices(public: PublicState, match: PublicMatch) -> Iterator[Fact]:
    body = public.scene.body
    if isinstance(body, Choosing) and not body.is_private and not _is_said_to_choose(body, match):
        yield from _about(body.menu, Urgency.CHOICE)
    for offer in match.offers:
        said = must_choose(offer, who_decides(match.game.seats, offer.seat))
        if said:
            yield Fact(f"choice {said}", said, Urgency.CHOICE, said)
        if buttons := by_buttons(offer, body, public.scene.roles, public.scene.look):
            yield Fact(f"buttons {buttons}", buttons, Urgency.CHOICE)


def _is_said_to_choose(body: Choosing, match: PublicMatch) -> bool:
    """Tell whether what the display asks is said as what somebody must choose: a step within a choice is not."""
    asked = (offer.prompt for offer in match.offers if offer.required and offer.seat is body.seat)
    return body.menu.title in asked


def _about(menu: Menu, urgency: Urgency, *, at_box: bool = False) -> Iterator[Fact]:
    """Say what a menu is about, once for as long as that stays."""
    if menu.title:
        said = _ended(menu.title)
        yield Fact(f"title {said}", said, urgency, said, at_box=at_box, group=TITLE)


def _turn_to_play(match: PublicMatch) -> Iterator[Fact]:
    """Say whose turn it is, where nothing else is waited for."""
    if match.course.total < match.progress.lines:  # what led to it is said first
        yield Fact(SAVING, "", Urgency.CHATTER)
        return
    colour, race = match.view.turn, match.race
    is_busy = (race is not None and race.is_running) or any(offer.required for offer in match.offers)
    if colour is None or is_busy or match.progress.is_over or match.progress.status is Status.SAVING:
        return
    who = who_decides(match.game.seats, colour)
    if match.can["reveal"]:
        said = text("{who} turns the next card.").format(who=who)
    elif match.game.race_name:
        said = text("{who} is next.").format(who=who)
    else:
        said = text("{who} has the turn.").format(who=who)
    number = race.number if race is not None else 0
    yield Fact(f"{number} next {said}", said, Urgency.NEWS)


def _end(match: PublicMatch) -> Iterator[Fact]:
    scores = _scores(match)
    said = joined([text("The match is over. {scores}.").format(scores=scores), *_victory(match)], " ")
    yield Fact(f"over {scores}", said, Urgency.RULING, said)
    if match.course.signed:
        signed = listed(match.course.signed)
        yield Fact(f"signed {signed}", text("Accepted by {seats}.").format(seats=signed), Urgency.NEWS)


def _victory(match: PublicMatch) -> Iterator[str]:
    leaders = [who_decides(match.game.seats, colour) for colour in match.progress.leaders]
    if leaders:
        yield texts("{who} wins.", "{who} share the victory.", len(leaders), who=listed(leaders))


def _clocks(public: PublicState, match: PublicMatch) -> Iterator[Fact]:
    """Say what clocks tell at the box; pages count on by themselves, and say so by themselves."""
    for clock in match.view.clocks:
        now = clock.as_of(public.now_ns)
        who = who_decides(match.game.seats, now.seat) if now.seat is not None else capital(now.label)
        if now.flag is not None:
            said = text("Time is up for {who}.").format(who=who)
            yield Fact(f"clock {now.seat} {now.label} flag", said, Urgency.RULING, said, at_box=True)
        elif now.is_running and 0 < now.left_ns <= now.low_ns:
            said = text("Little time for {who}.").format(who=who)
            yield Fact(f"clock {now.seat} {now.label} low", said, Urgency.CHOICE, said, at_box=True)
        elif now.is_running:
            yield _running_clock(now, who)


def _running_clock(clock: Clock, who: str) -> Fact:
    said = text("{who} has {time} left.").format(who=who, time=left(clock.left_ns))
    return Fact(f"clock {clock.seat} {clock.label} runs", said, Urgency.CHATTER, full=True)


# -- seating, questions, the knob --------------------------------------------------------------------------------------


def _of_seating(public: PublicState) -> Iterator[Fact]:
    body = public.scene.body
    if isinstance(body, Question):
        said = joined((_ended(line) for line in (body.title, *body.lines) if line), " ")
        yield Fact(f"question {said}", said, Urgency.CHOICE, said)
        if body.missing:
            seats = listed(body.missing)
            asked = text("To agree, by a button of their own: {seats}.").format(seats=seats)
            yield Fact(f"missing {seats}", asked, Urgency.CHOICE, asked)
    if public.match is None and isinstance(body, (Lobby, LookOn)):
        names = public.table.names
        for colour in public.table.seats:
            name = names.get(colour)
            told = text("{colour} has a seat.").format(colour=capital(colour))
            if name:
                told = text("{name} sits at {colour}.").format(name=name, colour=colour)
            yield Fact(f"seat {told}", told, Urgency.NEWS, told)


def _ended(line: str) -> str:
    """End a sentence; a question has its own end."""
    return capital(line) if line.endswith((".", "?", "!")) else text("{sentence}.").format(sentence=capital(line))


def _at_knob(public: PublicState) -> Iterator[Fact]:
    """Say what the knob is on, and what the box says of the last thing that was done at it."""
    scene = public.scene
    menu = getattr(scene.body, "menu", None)
    if menu is not None and menu.items and 0 <= menu.cursor < len(menu.items):
        item = menu.items[menu.cursor]
        is_choice = isinstance(scene.body, Choosing)  # which has been said, with what there is to choose
        if not is_choice:
            yield from _about(menu, Urgency.NEWS, at_box=True)
        if menu.cursor or menu.seat is not None or not is_choice:
            said = text("{item}.").format(item=capital(item_says(item, scene.look)))
            key = f"menu {menu.title} {menu.cursor} {said}"
            yield Fact(key, said, Urgency.NEWS, said, at_box=True, group=KNOB)
    is_of_card = isinstance(scene.notice, Text) and scene.notice.message in OF_THE_CARD
    if scene.notice and not is_of_card:  # the course has it: each card is said once
        said = text("{sentence}.").format(sentence=capital(scene.notice))
        yield Fact(f"notice {said}", said, Urgency.NEWS, at_box=True)
