"""Reading the tables of a game file key by key; whatever is wrong is collected, with where it stands. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.claim.language.patterns import NOWHERE, read_condition, read_filter
from companion.games.claim.language.tokens import PatternError, nearest

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from companion.games.claim.language.counting import Filter
    from companion.games.claim.language.patterns import Scope
    from companion.games.claim.language.sight import Known, Sight
    from companion.games.claim.language.toml_lines import Path


class Faults:
    """What is wrong with a file so far: where, and what would be right."""

    def __init__(self) -> None:
        self.found: list[tuple[Path, str]] = []

    def add(self, path: Path, says: str) -> None:
        """Tell of one more."""
        self.found.append((path, says))


class Table:
    """One table of the file. Each key is asked for once, by its sort; what was never asked for is a fault at the end.

    A value of a wrong sort is a fault, and the default goes on in its place.
    """

    def __init__(self, faults: Faults, path: Path, values: Any) -> None:
        self.faults, self.path = faults, path
        self.values: dict[str, Any] = values if isinstance(values, dict) else {}
        self._asked: list[str] = []
        if not isinstance(values, dict):
            faults.add(path, f"`{path[-1]}` is a table, with keys of its own")

    def has(self, key: str) -> bool:
        """Tell whether a key stands there."""
        return key in self.values

    def fault(self, key: str, says: str) -> None:
        """Tell what is wrong with a key."""
        self.faults.add((*self.path, key), f"`{key}`: {says}")

    def raw(self, key: str) -> Any:
        """Give whatever stands there, None for nothing."""
        self._asked.append(key)
        return self.values.get(key)

    def text(self, key: str, most: int, default: str | None = None, shape: re.Pattern[str] | None = None) -> str:
        """Give a text of at most so many characters; without a default it must be there."""
        value = self.raw(key)
        if value is None:
            return self._default(key, default)
        if not isinstance(value, str) or not 0 < len(value) <= most or not value.isprintable():
            self.fault(key, f"{value!r} is no text of 1 to {most} characters")
        elif shape is not None and not shape.fullmatch(value):
            self.fault(key, f"{value!r} has others than small letters, digits, spaces and -")
        else:
            return value
        return default or "?"

    def _default(self, key: str, default: str | None) -> str:
        if default is None:
            self.faults.add(self.path, f"`{key}` is missing")
        return "?" if default is None else default

    def number(self, key: str, low: int, high: int, default: int) -> int:
        """Give a whole number in a range."""
        value = self.raw(key)
        if value is None:
            return default
        if is_number(value) and low <= value <= high:
            return int(value)
        self.fault(key, f"{value!r} is no whole number from {low} to {high}")
        return default

    def number_or_all(self, key: str, high: int, default: int, everything: int) -> int:
        """Give a number from 1, or what stands for "all"."""
        value = self.raw(key)
        if value is None:
            return default
        if value == "all":
            return everything
        if is_number(value) and 1 <= value <= high:
            return int(value)
        self.fault(key, f'{value!r} is neither "all" nor a whole number from 1 to {high}')
        return default

    def choice(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        """Give one of several words."""
        value = self.raw(key)
        if value is None or value in allowed:
            return default if value is None else str(value)
        self.fault(key, f"{value!r} is none of {', '.join(allowed)}{nearest(value, allowed)}")
        return default

    def flag(self, key: str) -> bool:
        """Give true or false; false where it is left out."""
        value = self.raw(key)
        if value is not None and not isinstance(value, bool):
            self.fault(key, f"{value!r} is neither true nor false")
        return value is True

    def tables(self, key: str) -> list[Table]:
        """Give a list of tables; () where it is left out."""
        value = self.raw(key)
        if value is None:
            return []
        if not isinstance(value, list):
            says = "this is a list of tables, in [ ]" if self.path else f"this is written [[{key}]], each time"
            self.fault(key, says)
            return []
        return [Table(self.faults, (*self.path, key, index), one) for index, one in enumerate(value)]

    def table(self, key: str) -> Table:
        """Give a table; one that is left out is empty."""
        value = self.raw(key)
        return Table(self.faults, (*self.path, key), {} if value is None else value)

    def condition(self, key: str, known: Known, scope: Scope = NOWHERE) -> Callable[[Sight], bool] | None:
        """Give a condition, None where it is left out."""
        found: Callable[[Sight], bool] | None = self._pattern(key, lambda text: read_condition(text, known, scope))
        return found

    def filter(self, key: str, known: Known, scope: Scope = NOWHERE) -> Filter | None:
        """Give a filter of cards, None where it is left out."""
        found: Filter | None = self._pattern(key, lambda text: read_filter(text, known, scope))
        return found

    def _pattern(self, key: str, read: Callable[[str], Any]) -> Any:
        value = self.raw(key)
        if value is None:
            return None
        if not isinstance(value, str):
            self.fault(key, f"{value!r} is no text")
            return None
        try:
            return read(value)
        except PatternError as error:
            self.fault(key, str(error))
        return None

    def finish(self) -> None:
        """Tell of every key that nothing asked for."""
        for key in self.values:
            if key not in self._asked:
                hint = nearest(key, self._asked) or f"; there are: {', '.join(self._asked)}"
                self.faults.add((*self.path, key), f"`{key}` means nothing here{hint}")


def is_number(value: object) -> bool:
    """Tell whether a value is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)
