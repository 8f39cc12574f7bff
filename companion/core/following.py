"""Following a table of stages: one step, and the refusal of what cannot happen. Knows no table."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from companion.core.errors import Illegal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import Enum

State = TypeVar("State", bound="Enum")
Cause = TypeVar("Cause", bound="Enum")


def followed(table: Mapping[State, Mapping[Cause, State]], state: State, cause: Cause) -> State:
    """Give the state that a cause leads to. Raises Illegal, in the words of both, for what cannot happen then."""
    try:
        return table[state][cause]
    except KeyError:
        raise Illegal(f"{cause.value}: not while {state.value}") from None
