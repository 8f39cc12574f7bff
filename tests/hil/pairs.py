"""What a source and the program's own contacts made of rounds of presses, held against what was really done. Pure.

The rows are `inside/source_reader.py`'s. They are played again through the program's `Arbiter`, call by call as its
loop would have made them, with default settings; what is judged is the presses that come out, with their ±.
"""

import json
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import USUAL, ContactLimits
from companion.core.timing.events import MS, SECOND, Dropped, Edge, Levels, LineFault, Press, SourceFault, Unheard
from tests.hil.expected import is_doubtful
from tests.hil.patterns import Kind
from tests.hil.truth import PlayedStroke

APART_NS = 20_000
"""Only presses that are surely so far apart are a pair that is counted."""
TOLD_WITHIN_NS = 3 * SECOND
"""A loss must be told so soon after the press that was lost."""
BEFORE_NS = SECOND // 2
CONTACT_NS = 20 * MS
"""All edges that a press may count from are within so much of each other."""
TRACE_NS = 2_000
"""The kernel's trace has whole microseconds."""
WIDE_NS = MS
"""A ± that is so much above what a thread waited says less than is known."""
ENDLESS_NS = 20 * MS
"""A ± that nobody can play with."""
"""So much earlier than a press a telling may be that accounts for it: it may name when what was lost began."""


Entered = Mapping[int, Sequence[int]]
"""By line, when the kernel entered the handler of its interrupt, in order."""


@dataclass(slots=True)
class Account:
    """All that was made of the rows: presses by line, and what was told of lines as (t_ns, text).

    merged: by line, when each edge was that others were merged with, and for how long its thread had waited at most.
    wait_ns: the longest that an interrupt's thread was seen to wait; None where that was not told.
    """

    presses: dict[str, list[Press]] = field(default_factory=lambda: defaultdict(list))
    told: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    merged: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    late_edges: int = 0
    wait_ns: int | None = None

    def waited_ns(self, press: Press) -> int:
        """How long the thread waited, of those waits that a press was merged for."""
        reach_ns = press.error_ns + CONTACT_NS
        near = (wait_ns for t_ns, wait_ns in self.merged.get(press.line, ()) if abs(t_ns - press.t_ns) <= reach_ns)
        return max(near, default=0)

    def accounts_for(self, line: str, t_ns: int) -> bool:
        """Tell whether anything told of the line may be about a press at `t_ns`."""
        return any(t_ns - BEFORE_NS <= when_ns <= t_ns + TOLD_WITHIN_NS for when_ns, _ in self.told.get(line, ()))


def account(
    rows: Iterable[str], lines: Sequence[str], source: str, limits: ContactLimits | None = None
) -> Account:  # fmt: skip
    """Play rows again; `lines` are all labels. limits: None for the usual ones."""
    parsed = [json.loads(row) for row in rows if row.startswith("[")]
    delay_ns = next(row[1] for row in parsed if row[0] == "delay")
    arbiter = Arbiter(dict.fromkeys(lines, USUAL), {source: delay_ns}, limits)
    out = Account(wait_ns=next((row[1] for row in parsed if row[0] == "wait"), None))
    last_ns = 0
    for kind, *values in parsed:
        if kind == "edge":
            doubt = dict(zip(("merged_ns", "lost_since_ns"), values[4:], strict=False))
            edge = Edge(*values[:4], **doubt)
            arbiter.feed(source, edge)
            if edge.merged_ns:
                out.merged[edge.line].append((edge.t_ns, 2 * edge.merged_ns))
        elif kind == "levels":
            t_ns, active, known = values
            arbiter.feed(source, Levels(frozenset(active.split(",")), frozenset(known.split(",")), t_ns))
        elif kind == "unheard":
            arbiter.feed(source, Unheard(frozenset(values[1].split(",")), values[0]))
        elif kind == "fault":
            arbiter.feed(source, SourceFault(source, values[0], values[1], lines=tuple(values[2:])))
        elif kind == "late":
            out.late_edges += 1
        elif kind == "turn":
            last_ns = values[0]
            _note(out, arbiter.advance(last_ns, {source: values[1]}))
    _note(out, arbiter.advance(last_ns + SECOND))
    return out


def _note(out: Account, events: Iterable[object]) -> None:
    for event in events:
        if isinstance(event, Press):
            out.presses[event.line].append(event)
        elif isinstance(event, Dropped):
            out.told[event.line].append((event.t_ns, event.why))
        elif isinstance(event, LineFault) and event.text:
            out.told[event.line].append((event.t_ns, event.text))
        elif isinstance(event, SourceFault):
            for line in event.lines:
                out.told[line].append((event.t_ns, event.text))


@dataclass(slots=True)
class Figures:
    """The figures of one case with one source. Times in nanoseconds; each press of a round that counts is in them.

    inside: pairs that the stated ± leave open. needless: of these, the pairs that were more than twice as far apart.
    lost_told: presses that are not there, and it was said. extra: presses that nobody made. from_noise: presses that a
    chattering line made, unsaid. disturbed: by reason. wide: presses whose ± is more than their threads' waits explain.
    endless: those with a ± above `ENDLESS_NS` where no loss was told. faults: what must not be, in words.
    """

    rounds: int = 0
    disturbed: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    presses: int = 0
    pairs: int = 0
    inside: int = 0
    needless: int = 0
    misordered: int = 0
    wrong_firsts: int = 0
    outside: int = 0
    lost_told: int = 0
    lost_silently: int = 0
    extra_told: int = 0
    extra_silently: int = 0
    from_noise: int = 0
    late_edges: int = 0
    wide: int = 0
    endless: int = 0
    misses_ns: list[int] = field(default_factory=list)
    errors_ns: list[int] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def disturbed_rounds(self) -> int:
        return sum(self.disturbed.values())

    @property
    def wrong(self) -> int:
        """How much must not be."""
        silent = self.lost_silently + self.extra_silently
        return self.misordered + self.wrong_firsts + self.outside + self.needless + silent


def disturbance(strokes: Sequence[PlayedStroke], entered: Entered | None = None) -> str | None:
    """Why a round was not played as planned, by the emulator's doing alone; None: it was.

    entered: by line, when the kernel entered its interrupt's handler; None where that was not traced. Such an
    interrupt would have the stamp of a later edge, and nothing would tell it.
    """
    for stroke in strokes:
        if entered is not None and stroke.stroke.kind is Kind.PRESS and _is_late(stroke, entered):
            return "the interrupt of a press came late"
        if stroke.stroke.kind is Kind.PRESS and is_doubtful(stroke):
            return "stood still within a press"
        if stroke.stroke.kind is Kind.PRESS and stroke.first.after_ns - stroke.first.before_ns > MS:
            return "stood still while a line was moved"
    return None


def _is_late(stroke: PlayedStroke, entered: Entered) -> bool:
    """Whether the kernel entered the handler of a press's first edge only after the line had been moved."""
    times_ns = entered.get(stroke.gpio, ())
    place = bisect_left(times_ns, stroke.first.before_ns - TRACE_NS)
    return place == len(times_ns) or times_ns[place] > stroke.first.after_ns + TRACE_NS


def judge(
    rounds: Sequence[Sequence[PlayedStroke]], labels: Mapping[int, str], told: Account, figures: Figures,
    entered: Entered | None = None,
) -> None:  # fmt: skip
    """Add rounds, in the order they were played, to the figures of their case. entered: as in `disturbance`."""
    matches, extra = _matched([stroke for strokes in rounds for stroke in strokes], labels, told)
    drawn_out = {
        (number, labels[stroke.gpio]): is_doubtful(stroke)
        for number, strokes in enumerate(rounds)
        for stroke in strokes
        if stroke.stroke.kind is not Kind.PRESS
    }
    begins_ns = [min(stroke.first.before_ns for stroke in strokes) for strokes in rounds]
    why_not = [disturbance(strokes, entered) for strokes in rounds]
    for press in extra:
        of = max(0, bisect_right(begins_ns, press.t_ns) - 1)
        from_noise = (of, press.line) in drawn_out
        if why_not[of] is not None or drawn_out.get((of, press.line)):
            continue  # noise that the emulator drew out may be a press, and a press that it tore may be two
        is_told = bool(press.remark) or told.accounts_for(press.line, press.t_ns)
        figures.extra_told += is_told
        figures.from_noise += from_noise and not is_told
        figures.extra_silently += not (from_noise or is_told)
        if not (from_noise or is_told):
            figures.faults.append(f"{press.line}: a press that nobody made, at {press.t_ns} ±{press.error_ns}")
    for strokes, why in zip(rounds, why_not, strict=True):
        figures.rounds += 1
        if why is not None:
            figures.disturbed[why] += 1
            continue
        made = sorted((s for s in strokes if s.stroke.kind is Kind.PRESS), key=lambda s: s.first.before_ns)
        _judge_round([(stroke, matches.get(id(stroke))) for stroke in made], labels, told, figures)
    figures.late_edges += told.late_edges


def _matched(
    strokes: Sequence[PlayedStroke], labels: Mapping[int, str], told: Account
) -> tuple[dict[int, Press], list[Press]]:
    """The press told of each stroke, by its identity, and those told of none."""
    matches: dict[int, Press] = {}
    extra: list[Press] = []
    by_gpio: dict[int, list[PlayedStroke]] = defaultdict(list)
    for stroke in sorted(strokes, key=lambda stroke: stroke.first.before_ns):
        if stroke.stroke.kind is Kind.PRESS:
            by_gpio[stroke.gpio].append(stroke)
    for gpio, own in by_gpio.items():
        begins_ns = [stroke.first.before_ns for stroke in own]
        for press in told.presses.get(labels[gpio], ()):
            found = _stroke_of(press, own, begins_ns, matches)
            if found is None:
                extra.append(press)
            else:
                matches[id(found)] = press
    heard = {labels[gpio] for gpio in by_gpio}
    extra += [press for line, presses in told.presses.items() if line not in heard for press in presses]
    return matches, extra


def _stroke_of(
    press: Press, own: Sequence[PlayedStroke], begins_ns: Sequence[int], taken: Container[int]
) -> PlayedStroke | None:
    """The stroke during which a press was told to be, else the first that its ± reaches, of those without one."""
    last = bisect_right(begins_ns, press.t_ns + MS)
    for stroke in own[max(0, last - 1) : last]:
        if id(stroke) not in taken and press.t_ns <= stroke.moments[-1].after_ns + 20 * MS:
            return stroke
    reach_ns = press.error_ns + MS
    near = own[bisect_left(begins_ns, press.t_ns - reach_ns) : bisect_right(begins_ns, press.t_ns + reach_ns)]
    within = (s for s in near if id(s) not in taken and s.first.holds(press.t_ns, press.error_ns))
    return next(within, None)


def _judge_round(
    made: Sequence[tuple[PlayedStroke, Press | None]], labels: Mapping[int, str], told: Account, figures: Figures
) -> None:
    for stroke, press in made:
        _judge_press(stroke, press, labels[stroke.gpio], told, figures)
    known = [(stroke, press) for stroke, press in made if press is not None]
    for (earlier, one), (later, other) in combinations(known, 2):
        if later.first.before_ns - earlier.first.after_ns < APART_NS:
            continue
        figures.pairs += 1
        error_ns = one.error_ns + other.error_ns
        is_open = abs(other.t_ns - one.t_ns) <= error_ns
        figures.inside += is_open
        if is_open and later.first.before_ns - earlier.first.after_ns > 2 * error_ns:
            figures.needless += 1
            figures.faults.append(f"{one} and {other} are a dead heat, and were twice their ± apart")
        if one.t_ns - other.t_ns > error_ns:
            figures.misordered += 1
            figures.wrong_firsts += earlier is made[0][0]
            figures.faults.append(f"{one} and {other} were made the other way round")


def _judge_press(stroke: PlayedStroke, press: Press | None, label: str, told: Account, figures: Figures) -> None:
    figures.presses += 1
    if press is None:
        is_told = told.accounts_for(label, stroke.first.before_ns)
        figures.lost_told += is_told
        figures.lost_silently += not is_told
        if not is_told:
            figures.faults.append(f"{label}: lost without a word, pressed at {stroke.first.before_ns}")
        return
    miss_ns = abs(stroke.first.miss_ns(press.t_ns))
    figures.misses_ns.append(miss_ns)
    figures.errors_ns.append(press.error_ns)
    figures.wide += press.error_ns > told.waited_ns(press) + WIDE_NS
    figures.endless += press.error_ns > ENDLESS_NS and not told.accounts_for(label, stroke.first.before_ns)
    if miss_ns > press.error_ns:
        figures.outside += 1
        figures.faults.append(f"{label}: {miss_ns} ns from the truth, ±{press.error_ns} stated, at {press.t_ns}")


def percentile(values: Sequence[int], share: float) -> float:
    """The value, in milliseconds, that so large a share of the values does not exceed; 0 where there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] / MS if ordered else 0.0


HEADINGS = (
    "source", "case", "pairs", "in ± %", "rounds", "disturbed", "wrong first", "misordered", "outside ±",
    "lost silently", "lost, told", "extra silently", "extra, told", "from noise", "late edges",
    "miss p50", "p99", "max", "± p50", "p99", "max", "±>1 ms %", "±>20 ms %", "±>wait+1 ms %",
)  # fmt: skip


def row(source: str, case: str, of: Figures) -> list[str]:
    """A row of the table; times in milliseconds."""
    counts = (of.wrong_firsts, of.misordered, of.outside, of.lost_silently, of.lost_told, of.extra_silently)
    times = [percentile(values, share) for values in (of.misses_ns, of.errors_ns) for share in (0.5, 0.99, 1.0)]
    noise = (of.extra_told, of.from_noise, of.late_edges)
    wide = [_percent(sum(ns > limit for ns in of.errors_ns), len(of.errors_ns)) for limit in (MS, 20 * MS)]
    wide.append(_percent(of.wide, len(of.errors_ns)))
    return [
        source, case, str(of.pairs), _percent(of.inside, of.pairs), str(of.rounds), str(of.disturbed_rounds),
        *map(str, (*counts, *noise)), *(f"{ms:.3f}" for ms in times), *wide,
    ]  # fmt: skip


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows under the headings, as a Markdown table."""
    lines = [HEADINGS, ["---"] * len(HEADINGS), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
