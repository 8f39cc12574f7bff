"""What a table's record comes to, judged line by line as it arrives; only what is sealed counts. Pure.

Theory of operation. Two passes go over the same lines side by side: one looks at the seals, one judges. At each seal
that holds, what the judge has found so far is written down as a `Judged`, and that stands until the next one, whatever
follows: lines after the last seal that holds say nothing. So a desk that gets a line more does the work of a line more,
and what it has is what anybody finds who judges the same lines at once. A line that cannot be judged stops the judge,
and becomes a fault when a seal vouches for it; a seal that does not hold stops everything.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import CompanionError
from companion.core.record.lines import Answer, MalformedLine, Protest, parse_line
from companion.core.record.seals import Verifying
from companion.core.ruling.judge import Judge
from companion.tournament.tables.expected import unlike
from companion.tournament.tables.ranking import Better, ranked
from companion.tournament.tables.remarks import PRACTICE_MATCH, is_practice_match, remarks_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core.record.lines import Event, Setup
    from companion.core.record.seals import Check, KeyUse
    from companion.core.ruling.game import Game
    from companion.core.ruling.history import History
    from companion.tournament.results import Place
    from companion.tournament.tables.expected import Expected

NOT_SEALED = "not sealed: no line is a seal"
NOBODY_AHEAD = "the game says of nobody that they are ahead: all share the first place"
FEWER_IS_BETTER = "fewer is better"
HASH_OF_NOTHING = sha256().hexdigest()


class Protested(NamedTuple):
    """A protest in a record. line: its number. race: which it is against, None: none in particular.

    answer: the number of the line that answers it, None while it waits; stands: whether the disputed ruling does.
    """

    line: int
    colour: str
    race: int | None
    text: str
    answer: int | None = None
    stands: bool | None = None


class Judged(NamedTuple):
    """What a record comes to, up to and with its last seal that holds; what comes after it is not looked at.

    lines: so many; 0: nothing is sealed, and then nothing is said of the match. sha256: of those lines, each with its
    end of line, `names` lines left out. uses: by which keys they are sealed, and from which line on; whether these are
    enrolled is not judged here. places: by seat; None while the match is not over, and where it cannot be judged.
    signed: players. remarks: what is to be marked. fault: why it cannot become official, in words.
    """

    match: str = ""
    game: str = ""
    event: Event | None = None
    lines: int = 0
    sha256: str = HASH_OF_NOTHING
    uses: tuple[KeyUse, ...] = ()
    is_over: bool = False
    places: tuple[Place, ...] | None = None
    signed: tuple[int, ...] = ()
    protests: tuple[Protested, ...] = ()
    remarks: tuple[str, ...] = ()
    fault: str | None = NOT_SEALED

    @property
    def keys(self) -> tuple[bytes, ...]:
        """By which it is sealed, in order; the last is the present one."""
        return tuple(use.key for use in self.uses)


def judge_table(
    lines: Sequence[bytes],
    players: Sequence[int],
    find_game: Callable[[str], Game[Any]],
    check: Check,
    expected: Expected | None = None,
) -> Judged:
    """Judge a table's record at once.

    lines: from the setup on, without ends of line. players: by number, in the order of the seats. check: of signatures.
    expected: what it has to be of, None: anything. Raises what `check` raises.
    """
    judging = TableJudge(players, find_game, check, expected)
    for raw in lines:
        judging.feed(raw)
    return judging.judged


class TableJudge:
    """Judges a table's record as its lines come. judged: what the record comes to by now."""

    def __init__(
        self,
        players: Sequence[int],
        find_game: Callable[[str], Game[Any]],
        check: Check,
        expected: Expected | None = None,
    ) -> None:
        """players, check, expected: as `judge_table` has them."""
        self._players, self._expected = tuple(players), expected
        self._judge = Judge(find_game)
        self._verifying = Verifying(check)
        self._lines = 0
        self._unjudged: str | None = None  # why a line could not be judged
        self._is_broken = False  # a seal did not hold
        self.judged = Judged()

    @property
    def lines(self) -> int:
        """How many lines have come, sealed or not."""
        return self._lines

    @property
    def sha256(self) -> str:
        """The SHA-256 of the lines so far, or of those before a seal that does not hold, as a seal has it."""
        return self._verifying.digest().hex()

    def feed(self, raw: bytes) -> Judged | None:
        """Take the next line, without its end of line; give what the record comes to where that is something new.

        Raises what the check of signatures raises; then this cannot go on.
        """
        self._lines += 1
        if self._is_broken:
            return None
        sealed = self._verifying.found().sealed
        if not self._verifying.goes_on(raw + b"\n"):
            return self._broken()
        self._judge_line(raw)
        if self._verifying.found().sealed == sealed:
            return None
        self.judged = self._at_seal()
        return self.judged

    def _judge_line(self, raw: bytes) -> None:
        if self._unjudged is not None:
            return
        try:
            self._judge.feed(parse_line(raw, self._lines, self._judge.extra_lines))
        except CompanionError as error:
            why = error.reason if isinstance(error, MalformedLine) else str(error)
            self._unjudged = f"line {self._lines} cannot be judged: {why}"

    def _broken(self) -> Judged:
        self._is_broken = True
        fault = self._verifying.found().fault
        why = f"line {fault.line}: this seal does not hold: {fault.why}" if fault is not None else NOT_SEALED
        is_first = self.judged.fault in {None, NOT_SEALED}
        self.judged = self.judged._replace(fault=why) if is_first else self.judged
        return self.judged

    def _at_seal(self) -> Judged:
        """Write down what the lines so far come to; the newest of them is a seal that holds."""
        found, judge = self._verifying.found(), self._judge
        judged = Judged(lines=self._lines, sha256=self.sha256, uses=found.keys, fault=self._unjudged)
        setup, history = judge.setup, judge.history
        if setup is None:
            return judged
        judged = judged._replace(match=setup.match, game=setup.game, event=setup.event)
        if self._unjudged is not None:
            return judged
        judged = judged._replace(
            protests=_protests(history),
            remarks=remarks_of(setup, history),
            fault=self._unfit(setup),
        )
        return self._ended(judged, setup) if judge.is_over() else judged

    def _ended(self, judged: Judged, setup: Setup) -> Judged:
        if len(self._players) != len(setup.seats):
            return judged._replace(is_over=True)
        by_colour = dict(zip((seat.colour for seat in setup.seats), self._players, strict=True))
        signed = tuple(by_colour[colour] for colour in self._judge.history.signed())
        try:
            found = ranked(self._judge, self._players)
        except CompanionError as error:  # a game of somebody else's may refuse to say its outcome
            return judged._replace(is_over=True, signed=signed, fault=judged.fault or f"it cannot be ranked: {error}")
        said = ((NOBODY_AHEAD, not found.is_anybody_ahead), (FEWER_IS_BETTER, found.better is Better.FEWER))
        more = tuple(words for words, is_so in said if is_so)
        return judged._replace(is_over=True, places=found.places, signed=signed, remarks=(*judged.remarks, *more))

    def _unfit(self, setup: Setup) -> str | None:
        """Say why a match that can be judged cannot become official, None where it can."""
        if self._expected is not None and (why := unlike(setup, self._expected)) is not None:
            return why
        if len(setup.seats) != len(self._players):
            return f"it has {len(setup.seats)} seats, and {len(self._players)} players sit at the table"
        return f"it is a {PRACTICE_MATCH}" if is_practice_match(self._judge.history) else None


def _protests(history: History) -> tuple[Protested, ...]:
    """Give the protests of a record with their answers, oldest first."""
    found: dict[int, Protested] = {}
    for told in history.disputes():
        line = told.line
        if isinstance(line, Protest):
            found[told.number] = Protested(told.number, str(line.colour), line.race, line.text or "")
        elif isinstance(line, Answer):
            found[line.protest] = found[line.protest]._replace(answer=told.number, stands=line.stands)
    return tuple(found.values())
