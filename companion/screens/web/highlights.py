"""What was remarkable in a match: the fastest press, the closest finish, who was punished most. Pure.

Made of the judged races that stand, as `matches.races` gives them. A press that was punished, or made before anybody
can have seen its card, is neither fast nor close, nor is one that counts from its arrival: it has no ±, as nobody knows
how surely it is timed. Two that cannot be told apart share.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.panel import Colour
from companion.core.words.texts import capital, listed, text, texts
from companion.screens.text.wording import duration, error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Document = dict[str, Any]


def highlights(races: Sequence[Document], names: Mapping[str, str], race_name: str) -> list[Document]:
    """Give them, each with the seats it is about, what it is called and a sentence; nothing for what did not happen.

    names: of seats, where they have one. race_name: what the game calls a race.
    """
    found = (_fastest(races, names, race_name), _closest(races, names, race_name), _punished(races, names))
    return [one for one in found if one is not None]


def _highlight(kind: str, title: str, colours: Iterable[str], says: str) -> Document:
    return {"kind": kind, "title": title, "colours": list(colours), "says": says}


def _good(race: Document) -> list[Document]:
    sure = [press for press in race["presses"] if press["error_ns"] > 0]
    return [press for press in sure if press["verdict"] != "punish" and not press["anticipated"]]


def _fastest(races: Iterable[Document], names: Mapping[str, str], race_name: str) -> Document | None:
    timed = [
        (press["reaction_ns"], press["error_ns"], press["colour"], race["number"])
        for race in races
        for press in _good(race)
        if press["reaction_ns"] is not None and press["reaction_ns"] >= 0
    ]
    if not timed:
        return None
    best_ns, best_error_ns, first, number = min(timed)
    as_fast = [colour for ns, error_ns, colour, _ in timed if ns - best_ns <= error_ns + best_error_ns]
    colours = list(dict.fromkeys([first, *as_fast]))
    says = text("{who}: {time} {error} from the card, {race_name} {race}").format(
        who=_listed(colours, names),
        time=duration(best_ns),
        error=error(best_error_ns),
        race_name=race_name,
        race=number,
    )
    return _highlight("fastest", text("Fastest press"), colours, says)


class _Finish(NamedTuple):
    """Two places that follow each other: how far apart, with which uncertainty (ns), whose, in which race."""

    apart_ns: int
    error_ns: int
    ahead: str
    behind: str
    race: int


def _finishes(races: Iterable[Document]) -> Iterator[_Finish]:
    for race in races:
        for ahead, behind in pairwise(_good(race)):
            apart_ns = behind["gap_ns"] - ahead["gap_ns"]
            if apart_ns >= 0 and not ahead["allowance_text"]:  # else it was an allowance that put them so
                error_ns = ahead["error_ns"] + behind["error_ns"]
                yield _Finish(apart_ns, error_ns, ahead["colour"], behind["colour"], race["number"])


def _closest(races: Iterable[Document], names: Mapping[str, str], race_name: str) -> Document | None:
    finish = min(_finishes(races), default=None)
    if finish is None:
        return None
    if finish.apart_ns <= finish.error_ns:
        says = text("{both}: dead heat, {time} {error} apart, {race_name} {race}")
    else:
        says = text("{ahead} before {behind} by {time} {error}, {race_name} {race}")
    told = says.format(
        both=_listed((finish.ahead, finish.behind), names),
        ahead=_who(finish.ahead, names),
        behind=_who(finish.behind, names),
        time=duration(finish.apart_ns),
        error=error(finish.error_ns),
        race_name=race_name,
        race=finish.race,
    )
    return _highlight("closest", text("Closest finish"), (finish.ahead, finish.behind), told)


def _punished(races: Iterable[Document], names: Mapping[str, str]) -> Document | None:
    counts = Counter(press["colour"] for race in races for press in race["presses"] if press["verdict"] == "punish")
    if not counts:
        return None
    most = max(counts.values())
    colours = [colour for colour, count in counts.items() if count == most]
    times = text("once") if most == 1 else text("twice") if most == 2 else texts("{count} time", "{count} times", most)
    says = text("{who}: {times} each") if len(colours) > 1 else text("{who}: {times}")
    told = says.format(who=_listed(colours, names), times=times)
    return _highlight("punished", text("Most punished"), colours, told)


def _who(colour: str, names: Mapping[str, str]) -> str:
    name = names.get(colour)
    if name:
        return text("{name} ({colour})").format(name=name, colour=Colour(colour))
    return capital(Colour(colour).says)


def _listed(colours: Sequence[str], names: Mapping[str, str]) -> str:
    return listed(_who(colour, names) for colour in colours)
