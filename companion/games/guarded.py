"""A game of somebody else's, whose slips harm nobody: what it raises by mistake is told, and play goes on. Pure.

A line that the game fails at is refused (`GameFault`), and nothing has changed. A question that it fails at gets an
answer that does no harm: nothing is on offer, nobody races, nothing is shown. What displays will ask a ruling is asked
when the game gives it, since a ruling is a value and says the same for ever; one that fails is told plainly. Each fault
is told once.
"""

from __future__ import annotations

from dataclasses import replace
from types import NoneType
from typing import TYPE_CHECKING, Any, cast

from companion.core.errors import CompanionError
from companion.core.panel import Colour
from companion.core.record.lines import JudgeLine, Line
from companion.core.ruling.game import Deadline, TakingBack
from companion.core.ruling.offers import Step
from companion.core.ruling.parameters import DryRun
from companion.core.ruling.race import Race
from companion.core.ruling.rulings import Order, Outcome, Place, Ruling, Settled
from companion.core.ruling.view import View
from companion.core.words.encoding import builtins

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.offers import Offer


class GameFault(CompanionError, RuntimeError):
    """A game failed where it must not: the fault is the game's, and a traceback of it is in the log."""


_FAILED = View(scores=(), score_label="-", phase="the game failed")
_REFUSE = ("start", "apply", "step", "outcome", "speaking", "playing")
"""What a game does: where it fails, nothing has been done."""
_MAY_REFUSE = ("taking_back",)
"""What answers too, and may say that it cannot be now."""
_ANSWERS: dict[str, Callable[..., object]] = {
    "restarted": lambda state: state,
    "offers": lambda *_: (),
    "deadline": lambda *_: None,
    "adjustable": lambda *_: (),
    "race": lambda *_: None,
    "buttons": lambda *_: (),
    "is_over": lambda *_: False,
    "can_end": lambda *_: True,
    "is_exhausted": lambda *_: False,
    "describe": lambda line, *_: str(line.__struct_config__.tag),
    "fields": lambda *_: (),
    "reason": lambda _, why: (why, why),
    "sentences": lambda *_: None,
    "view": lambda *_: _FAILED,
    "samples": lambda *_: (),
    "check_file": lambda *_: (),
    "dry_run": lambda *_: DryRun(0, 0, why_not="the game failed"),
    "taking_back": lambda *_: TakingBack(),
    "held": lambda *_: (),
    "ledgers": lambda *_: (),
}
"""What is answered to a question that a game fails at."""
_KINDS: dict[str, tuple[type, ...]] = {
    "offers": (tuple,), "deadline": (Deadline, NoneType), "adjustable": (tuple,), "race": (Race, NoneType),
    "buttons": (tuple,), "is_over": (bool,), "can_end": (bool,), "is_exhausted": (bool,), "describe": (str,),
    "fields": (tuple,), "reason": (tuple,), "sentences": (tuple, NoneType), "view": (View,),
    "step": (Step, Line), "outcome": (Outcome,), "samples": (tuple,), "check_file": (tuple,),
    "dry_run": (DryRun,),
    "taking_back": (TakingBack,), "held": (tuple,), "ledgers": (tuple,),
}  # fmt: skip
"""What each may give: anything else is a fault too."""


def guarded(game: AnyGame, on_fault: Callable[[str, Exception], None]) -> AnyGame:
    """Give a game that raises nothing but CompanionErrors. on_fault: told of each fault once, from any thread."""
    return cast("AnyGame", _Guarded(game, on_fault, set()))


class _Guarded:
    def __init__(self, game: AnyGame, on_fault: Callable[[str, Exception], None], told: set[str]) -> None:
        self._game, self._on_fault, self._told = game, on_fault, told

    def __getattr__(self, name: str) -> Any:
        """Give a part of the game, with a guard where it does or answers something."""
        found = getattr(self._game, name)
        if name in {"speaking", "playing"}:
            found = self._other(found)
        if name == "apply":
            found = self._judging(found)
        if name in _REFUSE:
            found = self._refusing(name, found)
        elif name in _ANSWERS:
            found = self._answering(name, found)
        else:
            return found
        self.__dict__[name] = found  # the next one who asks gets it without a detour
        return found

    def _other(self, give: Callable[..., AnyGame]) -> Callable[..., AnyGame]:
        """Guard what a game gives in its own place: itself in another language, or as a setup has it."""
        return lambda asked: cast("AnyGame", _Guarded(give(asked), self._on_fault, self._told))

    def _judging(self, apply: Callable[..., Any]) -> Callable[..., Any]:
        def judged(state: object, line: Line) -> tuple[object, tuple[Ruling, ...]]:
            after, given = apply(state, line)
            rulings = tuple(map(self._sound, given))
            if isinstance(line, JudgeLine) and sum(isinstance(ruling, Order) for ruling in rulings) != 1:
                raise ValueError("a judging gives one order")
            return after, rulings

        return judged

    def _sound(self, ruling: Ruling) -> Ruling:
        """Give a ruling that can be asked: one that fails at it as a plain one. Raises where not even that can be."""
        try:
            return _asked(ruling)
        except Exception as error:
            plain = next((kind for kind in (Settled, Outcome) if isinstance(ruling, kind)), None)
            if plain is None:
                raise
            self._tell(type(ruling).__name__, error)
            return _asked(plain(**{name: getattr(ruling, name) for name in plain.__struct_fields__}))

    def _refusing(self, name: str, does: Callable[..., Any]) -> Callable[..., Any]:
        def do(*arguments: object) -> Any:
            try:
                return self._checked(name, does(*arguments))
            except CompanionError:
                raise
            except Exception as error:
                raise GameFault(self._tell(name, error)) from error

        return do

    def _answering(self, name: str, says: Callable[..., Any]) -> Callable[..., Any]:
        def say(*arguments: object) -> Any:
            try:
                return self._checked(name, says(*arguments))
            except Exception as error:
                if name in _MAY_REFUSE and isinstance(error, CompanionError):
                    raise
                self._tell(name, error)
                return _ANSWERS[name](*arguments)

        return say

    def _checked(self, name: str, given: Any) -> Any:
        """Give what a game gave, with a guard around what numbers become. Raises TypeError for what it may not give."""
        _demand(given, *_KINDS.get(name, (object,)))
        if name == "offers":
            return tuple(map(self._with_guarded_number, given))
        return self._sound(given) if name == "outcome" else given

    def _with_guarded_number(self, offer: Offer) -> Offer:
        if offer.number is None:
            return offer
        return replace(offer, number=replace(offer.number, line=self._refusing("number", offer.number.line)))

    def _tell(self, name: str, error: Exception) -> str:
        """Tell of a fault, once, and give its words."""
        text = f"the game {self._game.name} failed ({name}: {type(error).__name__}: {error})"
        if text not in self._told:
            self._told.add(text)
            self._on_fault(text, error)
        return text


def _asked(ruling: Ruling) -> Ruling:
    """Give a ruling once it has said all that it will be asked. Raises what it raises; TypeError for a wrong answer."""
    _demand(ruling, Ruling)
    match ruling:
        case Order():
            _demand_all(ruling.order, Place)
            _demand_all(tuple(place.colour for place in ruling.order), Colour)
        case Settled():
            _demand(ruling.colour, Colour)
            _demand(ruling.note(), str)
            _demand_all(ruling.moved(), str)
        case Outcome():
            _demand_all(ruling.ahead(), Colour)
    builtins(ruling)  # as pages and replays get it
    return ruling


def _demand_all(given: object, kind: type) -> None:
    _demand(given, tuple)
    for one in cast("tuple[object, ...]", given):
        _demand(one, kind)


def _demand(given: object, *kinds: type) -> None:
    if not isinstance(given, kinds):
        raise TypeError(f"gave {type(given).__name__}, not {' or '.join(kind.__name__ for kind in kinds)}")
