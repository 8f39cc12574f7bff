"""How a match comes to be: begun from a setup, or taken up from its record; with the seed that the box draws from.

Knows neither where seeds are kept nor what follows from the match.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace as struct_replace

from companion.core.errors import Illegal
from companion.core.match.agreeing import concessions
from companion.core.match.match import Match, PlaySettings
from companion.core.match.resuming import resume
from companion.core.panel import Colour
from companion.core.profiles.holding import Sitter, conditions_of, sitters_again
from companion.core.record.condition_changes import CONDITIONS, changes, newest_remark, remark_of
from companion.core.record.lines import UNDRAWN, Setup
from companion.core.ruling.chance import commitment
from companion.core.ruling.judge import Judge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.profiles.profile import Profile
    from companion.core.record.lines import Conditions, Line, Moved
    from companion.core.ruling.game import Game
    from companion.core.timing.events import Press

    MakeConditions = Callable[[Setup, int, tuple[Colour, ...]], Conditions]
    """Gives the conditions of a match: its first line, its collecting window in ns, who has agreed to allowances."""

NOBODY_BY_PROFILE: Mapping[Colour, Sitter] = MappingProxyType({})
MATCH_BYTES = 16
LOT_BYTES = 32


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The match that was running when the box stopped. same_clock: no reboot since.

    kept, kept_before: presses of it that were accepted and may not be in its record yet, on this clock and on another.
    moves: the `moved` line, if the match was begun on another box and the line is still to be written, otherwise None.
    """

    match_id: int
    lines: tuple[Line, ...]
    same_clock: bool
    kept: tuple[Press, ...] = ()
    kept_before: tuple[Press, ...] = ()
    moves: Moved | None = None

    @property
    def setup(self) -> Setup:
        """The first line. Raises Illegal where it is another."""
        first, *_ = self.lines
        if not isinstance(first, Setup):
            raise Illegal("a record begins with its `setup`")
        return first


class Seeds(Protocol):
    """Where the seeds come from that the box draws from."""

    def new(self) -> str:
        """Give a fresh seed, in hex, that is safely kept; empty where none can be."""

    def find(self, sha256: str) -> str:
        """Give the kept seed of this SHA-256; empty where it is not there."""


class MatchMaker:
    """Makes matches of the installed games.

    seeds: None where the box has none to draw from. draw: gives so many random bytes, in hex; None leaves a setup as
    it is. conditions: gives those under which times are taken; None: a setup has none.
    """

    def __init__(
        self,
        find_game: Callable[[str], Game[Any]],
        play: PlaySettings,
        seeds: Seeds | None,
        draw: Callable[[int], str] | None = None,
        conditions: MakeConditions | None = None,
    ) -> None:
        self._find, self._play, self._seeds, self._draw = find_game, play, seeds, draw
        self._conditions = conditions

    def concessions(self, setup: Setup, sitters: Mapping[Colour, Sitter] = NOBODY_BY_PROFILE) -> tuple[str, ...]:
        """Say what every seat must agree to before such a match begins; () where there is nothing.

        sitters: who plays by a profile of their own.

        Raises Malformed or Illegal for a setup the game refuses.
        """
        said = concessions(setup, self._play.with_sitters(sitters).accepts_ns)
        if said:
            Judge(self._find).feed(setup)
        return said

    def begin(
        self,
        setup: Setup,
        window_ns: int,
        names: Mapping[Colour, str] | None = None,
        confirmed: tuple[Colour, ...] = (),
        sitters: Mapping[Colour, Sitter] = NOBODY_BY_PROFILE,
    ) -> Match:
        """Give a match that has begun. names: of people, by colour. confirmed: who has agreed to its allowances.
        sitters: who plays by a profile of their own.

        Raises Malformed or Illegal for a setup the game refuses.
        """
        match = self._new(window_ns, sitters)
        if self._conditions is not None:
            usual = self._conditions(setup, window_ns, confirmed)
            setup = struct_replace(setup, conditions=conditions_of(usual, sitters))
        setup, match.seed = self._committed(self._drawn(setup))
        match.begin(setup, {s.colour: names[s.colour] for s in setup.seats if s.colour in names} if names else None)
        return match

    def resume(self, unfinished: Unfinished, window_ns: int, profiles: Mapping[Colour, Profile] | None = None) -> Match:
        """Give the match that was cut off. Raises Malformed or Illegal for a record that cannot be judged.

        profiles: of those whom its record names. What one gave when the match began holds on.
        """
        before, now, sitters = unfinished.setup.conditions, None, dict[Colour, Sitter]()
        if self._conditions is not None and before is not None:
            usual = self._conditions(unfinished.setup, window_ns, before.confirmed)
            sitters = sitters_again(before, usual, profiles or {})
            now = conditions_of(usual, sitters)
        match = self._new(window_ns, sitters)
        resume(match, unfinished)
        if before is not None and now is not None:
            _note_changes(match, before, now)
        if self._seeds is not None and match.setup.seed_sha256 and not match.has_shown_seed():
            match.seed = self._seeds.find(match.setup.seed_sha256)
        return match

    def _new(self, window_ns: int, sitters: Mapping[Colour, Sitter]) -> Match:
        return Match(self._find, replace(self._play.with_sitters(sitters), window_ns=window_ns))

    def _drawn(self, setup: Setup) -> Setup:
        """Give the setup with its own random bits: which match it is, and what its lots are drawn with."""
        if self._draw is None:
            return setup
        seed = self._draw(LOT_BYTES) if setup.seed == UNDRAWN else setup.seed
        return struct_replace(setup, match=self._draw(MATCH_BYTES), seed=seed)

    def _committed(self, setup: Setup) -> tuple[Setup, str]:
        """Give the setup with the box's commitment to a seed, and the seed, where the game rolls or draws."""
        if self._seeds is None or setup.seed_sha256 or not self._find(setup.game).rolls:
            return setup, ""
        seed = self._seeds.new()
        return (struct_replace(setup, seed_sha256=commitment(seed)), seed) if seed else (setup, "")


def _note_changes(match: Match, before: Conditions, now: Conditions) -> None:
    """Remark what is another condition now than when the match began, unless the record says just that already."""
    found, newest = changes(before, now), newest_remark(told.line for told in reversed(match.history))
    if found or newest:
        text = remark_of(found)
        if text != newest:
            match.remark(text, CONDITIONS)
