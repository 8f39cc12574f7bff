"""Sentences as a voice is to have them: signs and units as words, in its language. Pure.

A screen shows "+83.0 ms ±40 µs"; a voice that is given this says "plus eighty-three point zero m s". What is not known
here is left as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from companion.screens.speech.spellings import NONE, spelt

if TYPE_CHECKING:
    from collections.abc import Mapping

_AMOUNT = re.compile(r"(?P<sign>[+−±-]?)(?P<number>\d+(?:[.,\u202f]\d+)*) ?(?P<unit>ms|µs|s)\b")
_BARE = re.compile(r"(?<!\S)(?P<sign>[+−±-])(?P<number>\d+)")
_WHOLE = re.compile(r"(\d)[.,]0{1,2}$")  # three are thousands
_THINGS = re.compile(r"(?P<number>\d+) (?P<unit>F|min)\b")
_OF = re.compile(r"(?<![\d/])(\d+)/(\d+)(?![\d/])")
_TWO_NUMBERS = re.compile(r"(?<=\d) (?=\d)")
_STOPS = re.compile(r" *\.(?: *\.)+")
_CLOCK = re.compile(r"(?<![\d:])(?:(\d+):)?(\d+):(\d\d)(?:[.,]\d)?(?![\d:])")


class Words(NamedTuple):
    """What a language says for units, of one and of more, and around amounts; {} is the amount."""

    units: dict[str, tuple[str, str]]
    behind: str
    before: str
    about: str
    plus: str
    minus: str
    of: str


WORDS = {
    "en": Words(
        {"ms": ("millisecond", "milliseconds"), "µs": ("microsecond", "microseconds"), "s": ("second", "seconds"),
         "min": ("minute", "minutes"), "h": ("hour", "hours"),
         "F": ("franc", "francs")},
        "{} behind", "{} before", "give or take {}", "plus", "minus", "{} of {}",
    ),
    "it": Words(
        {"ms": ("millisecondo", "millisecondi"), "µs": ("microsecondo", "microsecondi"), "s": ("secondo", "secondi"),
         "min": ("minuto", "minuti"), "h": ("ora", "ore"),
         "F": ("franco", "franchi")},
        "{} dopo", "{} prima", "più o meno {}", "più", "meno", "{} di {}",
    ),
    "fr": Words(
        {"ms": ("milliseconde", "millisecondes"), "µs": ("microseconde", "microsecondes"), "s": ("seconde", "secondes"),
         "min": ("minute", "minutes"), "h": ("heure", "heures"),
         "F": ("franc", "francs")},
        "{} après", "{} avant", "à {} près", "plus", "moins", "{} sur {}",
    ),
    "de": Words(
        {"ms": ("Millisekunde", "Millisekunden"), "µs": ("Mikrosekunde", "Mikrosekunden"), "s": ("Sekunde", "Sekunden"),
         "min": ("Minute", "Minuten"), "h": ("Stunde", "Stunden"),
         "F": ("Franc", "Francs")},
        "{} dahinter", "{} davor", "auf {} genau", "plus", "minus", "{} von {}",
    ),
}  # fmt: skip
"""By language; another's signs are left as they are."""


def pronounced(text: str, language: str, spellings: Mapping[str, str] = NONE) -> str:
    """Give a text to be spoken in a language (a tag: "it", "de-AT"). spellings: how that says what is written short."""
    words = WORDS.get(_code(language))
    plain = " ".join(text.replace("·", ",").replace("…", ".").replace("\u202f", "").split())
    if words is None:
        return _STOPS.sub(".", plain)
    timed = _CLOCK.sub(lambda found: _time(found, words), plain)
    said = _AMOUNT.sub(lambda found: _amount(found, words), timed)
    counted = _THINGS.sub(lambda found: _things(found, words), said)
    shared = _OF.sub(lambda found: words.of.format(*found.groups()), counted)
    apart = _TWO_NUMBERS.sub(", ", shared)  # French and German would have "1 200" as a thousand and more
    signed = _BARE.sub(lambda found: _signed(found, words), apart)
    return _STOPS.sub(".", spelt(signed, spellings))


def _code(language: str) -> str:
    return language.lower().replace("_", "-").partition("+")[0].split("-")[0]


def _things(found: re.Match[str], words: Words) -> str:
    one, many = words.units[found["unit"]]
    return f"{found['number']} {one if found['number'] == '1' else many}"


def _signed(found: re.Match[str], words: Words) -> str:
    if found["sign"] == "±":
        return words.about.format(found["number"])
    return f"{words.plus if found['sign'] == '+' else words.minus} {found['number']}"


def _amount(found: re.Match[str], words: Words) -> str:
    number = _WHOLE.sub(r"\1", found["number"])
    one, many = words.units[found["unit"]]
    said = f"{number} {one if number == '1' else many}"
    around = {"+": words.behind, "-": words.before, "−": words.before, "±": words.about, "": "{}"}[found["sign"]]
    return around.format(said)


def _time(found: re.Match[str], words: Words) -> str:
    parts = zip(("h", "min", "s"), (int(part or 0) for part in found.groups()), strict=True)
    said = [f"{number} {words.units[unit][number != 1]}" for unit, number in parts if number]
    return " ".join(said) or f"0 {words.units['s'][1]}"
