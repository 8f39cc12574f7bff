"""What a person may change of a profile without anybody else: everything but who it is of and what others agreed to.

The allowance is measured (`companion calibrate`), and the referee may set it; the name is the list's; a new card is
given out by the referee. Pure.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.core.profiles.profile import (
    MOST_OWN_BUTTONS,
    Filters,
    Language,
    OwnButton,
    Profile,
    Scanning,
    Screens,
    Voice,
)
from companion.core.timing.contacts import CONCESSION_NS
from companion.core.timing.events import MS
from companion.core.words.texts import number, text


class Wishes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of a `Profile` that are its person's alone; what is left out is as usual."""

    language: Language = ""
    voice: Voice = Voice()
    filters: Filters = Filters()
    extension_s: Annotated[float, Meta(ge=0, le=120)] | None = None
    input: Literal["buttons", "scan"] = "buttons"
    scanning: Scanning = Scanning()
    mapping: Annotated[tuple[OwnButton, ...], Meta(max_length=MOST_OWN_BUTTONS)] = ()
    screens: Screens = Screens()


def wishes_of(profile: Profile) -> Wishes:
    """Give what of a profile its person may change."""
    return Wishes(**{name: getattr(profile, name) for name in Wishes.__struct_fields__})


def with_wishes(profile: Profile, wishes: Wishes) -> Profile:
    """Give the profile as its person wants it."""
    return msgspec.structs.replace(profile, **{name: getattr(wishes, name) for name in Wishes.__struct_fields__})


def concessions_of(profile: Profile) -> tuple[str, ...]:
    """Say what of a profile every seat is asked to agree to before a match; () where there is nothing."""
    accept_ms, said = profile.filters.accept_ms, []
    if accept_ms is not None and accept_ms * MS > CONCESSION_NS:
        told = text("a touch counts after {accept_ms} ms, which is more than {most_ms}: every seat agrees to it first")
        said.append(told.format(accept_ms=number(f"{accept_ms:g}"), most_ms=CONCESSION_NS // MS))
    if profile.allowance.ms:
        told = text("{allowance} ms are taken off each time: every seat agrees to it first")
        said.append(told.format(allowance=number(f"{profile.allowance.ms:,}")))
    return tuple(said)
