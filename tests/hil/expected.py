"""What a record of the game `order` must hold, worked out from the truth alone. Pure; shares no code with the program.

A race takes the first press of each seat, closes with the press that completes them (all seats play in these rounds),
and whatever is pressed soon after that is in the record too, behind the `close`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

from tests.hil.patterns import CLOSED, Kind
from tests.hil.truth import PlayedStroke

# The program's defaults: a contact shorter than this is a glitch, and a line is deaf until quiet for this long.
CONFIRM_NS = 2_000_000
BOUNCE_NS = 20_000_000
# The half-width that the program states for a press at least, by its source; where edges may be missing it is more.
ERROR_NS = {"gpiod": 20_000, "gpiozero": 120_000}


def is_doubtful(stroke: PlayedStroke) -> bool:
    """Whether the emulator stood still in the middle of a stroke, so that it is not what it was planned to be.

    A glitch or a chattering contact must surely never be closed for the settling time; a press must surely be, and
    must not be torn in two by a pause within its bounces.
    """
    spans = [
        (before.level, after.before_ns - before.after_ns, after.after_ns - before.before_ns)
        for before, after in pairwise(stroke.moments)
    ]
    if stroke.stroke.kind in (Kind.GLITCH, Kind.CHATTER):
        return any(level == CLOSED and longest_ns >= CONFIRM_NS for level, _, longest_ns in spans)
    is_settled = any(level == CLOSED and shortest_ns > CONFIRM_NS for level, shortest_ns, _ in spans)
    is_torn = any(level != CLOSED and longest_ns >= BOUNCE_NS for level, _, longest_ns in spans)
    return is_torn or not is_settled or _firm_after_ns(stroke) >= BOUNCE_NS


def _firm_after_ns(stroke: PlayedStroke) -> int:
    """How long after its first edge a press closed firmly, at most; later than the bounce time moves its instant."""
    for before, after in pairwise(stroke.moments):
        if before.level == CLOSED and after.before_ns - before.after_ns > CONFIRM_NS:
            return before.after_ns - stroke.first.before_ns
    return stroke.moments[-1].after_ns - stroke.first.before_ns


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with one recorded race; no faults means that it is exactly what was pressed."""

    faults: tuple[str, ...]
    wrong_first: bool


def judge_race(
    recorded: Sequence[Mapping[str, Any]],
    strokes: Sequence[PlayedStroke],
    labels: Mapping[int, str],
    seats: Sequence[str],
    error_ns: int = ERROR_NS["gpiod"],
) -> Verdict:
    """Compares one race of a record with what was done to the lines; `labels` gives the button of each line.

    Every true time must lie in what the record states of it, and no order may be wrong that is not within that.

    Noise (a glitch, chatter) must not be recorded. Where it is doubtful whether it was noise it may be; the line must
    then be of a colour that does not play, so that it cannot change the race.
    """
    presses = sorted((s for s in strokes if s.stroke.kind is Kind.PRESS), key=lambda s: s.first.before_ns)
    # lgpio loses edges on busy CPUs, and a closure looks longer where its opening was lost.
    is_lossy = error_ns != ERROR_NS["gpiod"]
    noise = {labels[s.gpio] for s in strokes if s.stroke.kind is not Kind.PRESS and (is_lossy or is_doubtful(s))}
    truth = [labels[press.gpio] for press in presses]
    recorded = [line for line in recorded if line["type"] != "press" or _name(line) not in noise]
    told = [line for line in recorded if line["type"] == "press"]
    names = [_name(line) for line in told]
    faults = []
    if sorted(names) != sorted(truth):
        faults.append(f"pressed but not recorded: {_without(truth, names)}; the other way: {_without(names, truth)}")
    else:
        of = _told_of(truth, names, told)
        is_unsorted = any(earlier["t_ns"] > later["t_ns"] for earlier, later in pairwise(told))
        if is_unsorted or any(_is_certain(later, earlier) for earlier, later in combinations(of, 2)):
            faults.append(f"order {names} instead of {truth}")
        faults += [
            f"{name}: t_ns {line['t_ns']} ± {line['error_ns']} not in {press.first.before_ns}..{press.first.after_ns}"
            for name, line, press in zip(truth, of, presses, strict=True)
            if not _holds(press, line, error_ns)
        ]
        faults += _faults_of_close(recorded, names, seats)
    is_wrong = bool(faults) and names[:1] != truth[:1]
    return Verdict(tuple(faults), wrong_first=is_wrong)


def _told_of(truth: Sequence[str], names: Sequence[str], told: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The recorded presses in the true order; of one button, in the order they were recorded."""
    left: dict[str, list[Mapping[str, Any]]] = {}
    for name, line in zip(names, told, strict=True):
        left.setdefault(name, []).append(line)
    return [left[name].pop(0) for name in truth]


def _is_certain(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> bool:
    """Whether one press is told to be before another beyond what is uncertain."""
    return bool(later["t_ns"] - earlier["t_ns"] > later["error_ns"] + earlier["error_ns"])


def _holds(press: PlayedStroke, line: Mapping[str, Any], error_ns: int) -> bool:
    """Whether a true time is as told: to the bracket where no edge is missing, else within what is stated."""
    extra_ns = line["error_ns"] - error_ns
    return extra_ns >= 0 and press.first.holds(line["t_ns"], line["error_ns"] if extra_ns else 0)


def _name(line: Mapping[str, Any]) -> str:
    return f"{line['colour']} {line['role']}"


def _without(names: Sequence[str], others: Sequence[str]) -> list[str]:
    left = list(names)
    for name in others:
        if name in left:
            left.remove(name)
    return left


def _faults_of_close(recorded: Sequence[Mapping[str, Any]], truth: Sequence[str], seats: Sequence[str]) -> list[str]:
    """The close stands right behind the press that completed the seats, at its time."""
    places = [place for place, line in enumerate(recorded) if line["type"] == "close"]
    completing = last_to_join(truth, seats)
    if places != [completing + 1]:
        return [f"closed at lines {places} of the race instead of {completing + 1}"]
    close_ns, press_ns = recorded[completing + 1]["t_ns"], recorded[completing]["t_ns"]
    return [] if close_ns == press_ns else [f"closed at {close_ns} instead of {press_ns}, its last seat's press"]


def last_to_join(presses: Sequence[str], seats: Sequence[str]) -> int:
    """The index of the press that completes the seats.

    Raises:
        ValueError: they are not complete.
    """
    missing = set(seats)
    for index, label in enumerate(presses):
        missing.discard(label.split()[0])
        if not missing:
            return index
    raise ValueError(f"no press of {', '.join(sorted(missing))}")


def expected_replay(recorded: Sequence[Sequence[Mapping[str, Any]]], seats: Sequence[str]) -> list[dict[str, Any]]:
    """What `replay --json` must print for a record of these races, all of them judged."""
    out: list[dict[str, Any]] = []
    wins = dict.fromkeys(seats, 0)
    for number, race in enumerate(recorded, 1):
        ignored, places = _rulings(race, seats)
        wins[places[0]["colour"]] += 1
        out += [*ignored, {"type": "order", "race": number, "order": places}]
        out.append({"type": "resume", "race": number, "reveals": None})
    most = max(wins.values())
    leaders = [seat for seat in seats if wins[seat] == most]
    return [*out, {"type": "outcome", "over": False, "wins": wins, "leaders": leaders}]


def _rulings(
    race: Sequence[Mapping[str, Any]],
    seats: Sequence[str],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    ignored: list[dict[str, Any]] = []
    counted: dict[str, Mapping[str, Any]] = {}
    is_closed = False
    for line in race:
        if line["type"] == "close":
            is_closed = True
        elif is_closed or line["colour"] in counted or line["colour"] not in seats:
            reason = "not playing" if line["colour"] not in seats else "closed" if is_closed else "already played"
            told = {key: line[key] for key in ("colour", "role", "t_ns")}
            ignored.append({"type": "ignored", **told, "reason": reason})
        else:
            counted[line["colour"]] = line
    return ignored, _places(sorted(counted.values(), key=lambda line: int(line["t_ns"])), seats)


def _places(presses: Sequence[Mapping[str, Any]], seats: Sequence[str]) -> list[dict[str, Any]]:
    tied = [[seat for seat in seats if seat in _tied(press, presses)] for press in presses]
    return [
        {
            "place": place,
            "colour": press["colour"],
            "role": press["role"],
            "t_ns": press["t_ns"],
            "gap_ns": press["t_ns"] - presses[0]["t_ns"],
            "verdict": None,
            "why": None,
            "dead_heat": bool(tied[place - 1]),
            "tied_with": [str(seat) for seat in tied[place - 1]],
        }
        for place, press in enumerate(presses, 1)
    ]


def _tied(press: Mapping[str, Any], presses: Sequence[Mapping[str, Any]]) -> set[str]:
    """Whom a press is tied with: every one that is no further away than both errors, whatever lies between."""
    return {
        other["colour"]
        for other in presses
        if other is not press and abs(other["t_ns"] - press["t_ns"]) <= other["error_ns"] + press["error_ns"]
    }
