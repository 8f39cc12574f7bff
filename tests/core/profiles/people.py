"""Profiles for tests: one of everything, and one that says nothing."""

from __future__ import annotations

from companion.core.profiles.evidence import Evidence, RaceGap, Trials
from companion.core.profiles.profile import (
    Allowance,
    Filters,
    OwnButton,
    Profile,
    Scanning,
    Screens,
    Voice,
)

PLAIN = Profile(name="Ann")
FULL = Profile(
    name="Zoë Łęcka-Ö",
    language="de_CH",
    voice=Voice(rate=0.75, volume=80, wordiness="full"),
    filters=Filters(bounce_ms=45, accept_ms=120, repeat_ms=650.5),
    extension_s=12.5,
    input="scan",
    scanning=Scanning(way="inverse", dwell_s=2.5, loops=4, order=(3, 1, 2, 4), start=2, again=True),
    allowance=Allowance(
        ms=830,
        evidence=Evidence(
            trials=Trials(
                kind="switch",
                date="2026-11-23T20:15:04+01:00",
                times_ms=tuple(1100 + (n * 7919) % 700 for n in range(120)),
                median_ms=1431,
                others_ms=(512, 598, 631, 705),
                low_ms=790,
                high_ms=905,
                proposal_ms=830,
                anticipations=3,
                lapses=7,
            ),
            gaps=tuple(RaceGap(f"{n:032x}", 700 + n * 13) for n in range(20)),
        ),
    ),
    mapping=tuple(
        OwnButton(device="Microsoft Xbox Adaptive Controller", code=0x130 + n, place=n + 1) for n in range(4)
    ),
    screens=Screens(simple=True, large=True, signals=("tones", "lamp", "motor", "phone")),
    card="ABCDEFGHIJ234567",
)
