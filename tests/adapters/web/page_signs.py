"""The pages' table of signs, written from the program's: `python -m tests.adapters.web.page_signs` writes it anew."""

from __future__ import annotations

import json
from pathlib import Path

import companion
from companion.core.match.effects import Tone
from companion.core.panel import Colour
from companion.core.signals.rhythms import FELT, RHYTHMS, SEEN
from companion.core.signals.signs import OF_TONE, Sign
from companion.core.signals.tones import OWN, PAUSE, PITCHES

FILE = Path(companion.__file__).parent / "adapters" / "web" / "static" / "js" / "frame" / "signs.js"
HEAD = """\
// What each sign is as a tone and as trembling: the tables of companion/core/signals, which a test compares.
// Written by `python -m tests.adapters.web.page_signs`.

/** @import { Colour, Sign, Tone } from "../../../documents.js" */
"""


def table(name: str, kind: str, says: str, values: dict[str, object]) -> str:
    rows = "".join(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)},\n" for key, value in values.items())
    return f"\n/**\n * {says}\n * @type {{{kind}}}\n */\nexport const {name} = {{\n{rows}}};\n"


def trembling(sign: Sign) -> list[int]:
    """On, off, on, …, in milliseconds, as `navigator.vibrate` has it."""
    beats = [length for beat in FELT.beats(RHYTHMS[sign]) for length in beat]
    return beats[:-1]


def notes(found) -> list[list[float]]:
    return [[note.hz, note.ms] for note in found]


def written() -> str:
    """Give the whole file."""
    return HEAD + "".join((
        table("NOTES", "Record<Tone, [number, number][]>", "Of each tone its notes: hertz (0: none) and milliseconds.",
              {tone.value: notes(PITCHES[tone]) for tone in Tone}),
        table("OWN", "Record<Colour, [number, number][]>", "Of each seat its own tone.",
              {seat.value: notes(OWN[seat]) for seat in Colour}),
        table("SIGNS", "Record<Tone, Sign>", "What is seen and felt of what is heard.",
              {tone.value: OF_TONE[tone].value for tone in Tone}),
        table("FELT", "Record<Sign, number[]>", "Of each sign how a phone trembles: on, off, on, in milliseconds.",
              {sign.value: trembling(sign) for sign in Sign}),
        "\n/** Between what is said and of whom, in milliseconds. */\n"
        f"export const PAUSE_MS = {PAUSE.ms};\n"
        "/** A cue is so many short pulses, each with a rest after it, in milliseconds. */\n"
        f"export const PULSE_MS = {json.dumps([FELT.short, FELT.rest])};\n"
        "/** A mark at the edge stands at least so long, so that no two come within a third of a second. */\n"
        f"export const SEEN_MS = {SEEN.very_long};\n",
    ))  # fmt: skip


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
