"""What large pictures say of a race: each place on lines of its own, with its reason in full. Pure; knows no pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.shown.scene import Standing, Status
from companion.core.words.texts import joined, text
from companion.screens.oled.glyphs import CROSS, DONE, DOT, MORE, NONE
from companion.screens.oled.large.facts import Fact, Row, Subject, Words
from companion.screens.text.explaining import explained
from companion.screens.text.wording import TOO_SOON, allowances_brief, became, gap, outcome

if TYPE_CHECKING:
    from companion.core.ruling.looks import Look
    from companion.core.shown.scene import Results, Turn
    from companion.core.shown.scene import Row as Place
    from companion.screens.text.explaining import Explained


BRIEF = {
    Status.PROVISIONAL: text("provisional"),
    Status.CLOSED: text("closed"),
    Status.SAVING: text("saving"),
}
"""How far an order that may change has come, in a word."""


def standing(scene: Standing, foot: Row | None) -> list[Subject]:
    """Give a race that is collected or ruled: its places in order, who touches, who came too late; then what is why."""
    facts: list[Fact] = [_place(row) for row in scene.rows]
    if scene.hidden_for:
        waits = joined((colour.short for colour in scene.hidden_for), " ")
        mark = DOT if scene.without is None else DONE
        until = text("hidden until {seats} played") if scene.without is None else text("to lay: {colours}")
        facts += [(Row((joined((colour.short, mark), " "),)),) for colour in scene.made]
        facts += [(Row((joined((colour.short, NONE), " "),)),) for colour in scene.without or ()]
        facts.append((Words(until.format(seats=waits, colours=waits)),))
    facts += [(Row((joined((colour.short, MORE), " "),)),) for colour in scene.unsettled]
    facts += [
        (Words(text("too late: {seat} {role}").format(seat=colour.short, role=role)),) for colour, role in scene.late
    ]
    return [
        Subject(_head(scene), (*_protest(scene), *facts), foot),
        *(Subject(_head(scene), (why,), foot) for row in scene.rows if (why := _why(row))),
    ]


def results(scene: Results, look: Look) -> list[Subject]:
    """Give a settled race: all places, or the turn in focus card by card."""
    if 0 <= scene.focus < len(scene.turns):
        turn = scene.turns[scene.focus]
        head = Row((joined((turn.colour.short, turn.role), " "), turn.colour.short), _of(scene), inverse=True)
        return [Subject(head, ((Words(became(turn, look)),),))]
    turns = {turn.colour: turn for turn in scene.turns}
    order = Subject(_head(scene), (*_protest(scene), *(_place(row) for row in scene.rows)))
    if scene.heat_goes is not None:
        told = explained(scene.rows, scene.turns, scene.heat_goes, {})
        return [order, *(Subject(_said_of(one), ((Words(joined(one.sentences, " ")),),)) for one in told)]
    whys = (_why(row, turns.get(row.colour)) for row in scene.rows)
    return [order, *(Subject(_head(scene), (why,)) for why in whys if why)]


def _of(scene: Results) -> tuple[str, ...]:
    return (f"{scene.focus + 1}/{len(scene.turns)}",)


def _said_of(one: Explained) -> Row:
    """Head what a practice match explains to a seat."""
    return Row((text("{seat}: why").format(seat=one.colour.short), one.colour.short), inverse=True)


def _head(scene: Standing | Results) -> Row:
    """Black on white once it is settled; with dots behind it till then."""
    named = (joined((scene.race_name, str(scene.number)), " "), f"#{scene.number}")
    if scene.status is Status.NOT_RECORDED:
        return Row(tuple(joined((CROSS, name), " ") for name in named), inverse=True)
    if scene.status is Status.FINAL:
        return Row(tuple(text("{race} FINAL").format(race=name) for name in named), inverse=True)
    lies = isinstance(scene, Standing) and scene.without is not None and bool(scene.hidden_for)
    words = text("face down") if lies else BRIEF[scene.status]
    return Row((*(joined((name, " ", words, MORE), "") for name in named), joined((named[1], MORE), " ")))


def _protest(scene: Standing | Results) -> tuple[Fact, ...]:
    says = text("{seats} protests").format(seats=joined((colour.short for colour in scene.disputed), " "))
    return ((Words(says, inverse=True),),) if scene.disputed else ()


def _place(row: Place) -> Fact:
    """Who is at a place, and how far behind; whoever is punished stands in black on white, with that word."""
    is_punished = row.verdict == "punish"
    right = (text("punished"),) if is_punished else (gap(row), gap(row, ""))
    return (Row((_who(row),), right, inverse=is_punished),)


def _why(row: Place, turn: Turn | None = None) -> Fact:
    """What moved a place, and what became of it, in words under who has it; () where there is nothing to be told."""
    said = [allowances_brief(row.allowance)[1]] if row.allowance is not None else []
    said += [TOO_SOON] if row.anticipated and row.verdict != "punish" else []
    if row.verdict == "punish":
        what, why = outcome(turn) if turn is not None else text("punished"), row.why_says or row.why_brief
        said.append(joined((what, why), ": ") if why else what)
    elif turn is not None:
        said.append(outcome(turn))
    return (Row((_who(row),), (gap(row), gap(row, ""))), *map(Words, said)) if said else ()


def _who(row: Place) -> str:
    return joined((str(row.place), row.colour.short), " ")
