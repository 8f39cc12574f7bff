"""Texts for people: an English sentence that remembers its message and what is filled in, to be said in any language.

`text("{colour} takes {card}").format(colour=…, card=…)` is a `str` in English, so that it can be compared, logged and
kept like any; what shows it to somebody asks `in_language` first. What is filled in may be a text itself. Whatever is
put together of texts otherwise (`+`, an f-string, `join`) is a plain string, which no language but English has: a list
is `listed`, the beginning of a sentence `capital`, a number with a sign in it `number`.
"""

from __future__ import annotations

from functools import lru_cache
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Literal, Self

    from companion.core.words.language import Language

PROGRAM = "companion"
"""The catalogue of the program's own messages: the package that its `locale` is in."""
ABOUT = "\x04"
"""As gettext's catalogues have it: stands between what a message is about and the message."""
_NOTHING: Mapping[str, Any] = {}
_BY_PLACE = ""
"""Among the values of a text: what was filled in by place, which no name has."""


class Text(str):
    """An English text that can be said in other languages.

    catalogue: the import name of the package whose `locale` has its message; empty: the message is the same in all.
    message: as the code has it, with its `{…}`. many: of several things; empty: of no number. things: of how many.
    values: what is filled in. A text's own value may be in another language already, where a game speaks it.
    """

    __slots__ = ("catalogue", "many", "message", "things", "values")

    catalogue: str
    message: str
    many: str
    things: int
    values: Mapping[str, Any]

    def __new__(
        cls,
        value: str,
        message: str | None = None,
        catalogue: str = "",
        values: Mapping[str, Any] = _NOTHING,
        many: str = "",
        things: int = 0,
    ) -> Self:
        """Make one of its English value; message: None where that is the value itself."""
        self = super().__new__(cls, value)
        self.message = value if message is None else message
        self.catalogue, self.values, self.many, self.things = catalogue, values, many, things
        return self

    def __str__(self) -> str:
        """Give itself, so that `str(error)` still is a text; `plain` gives what is none any more."""
        return self

    def format(self, *args: object, **values: object) -> Text:
        """Fill in what stands in braces, by name or by place. What is filled in may be a text itself."""
        if args:
            values[_BY_PLACE] = args
            return Text(str.format(self, *args, **values), self.message, self.catalogue, values, self.many, self.things)
        return Text(str.format(self, **values), self.message, self.catalogue, values, self.many, self.things)

    def in_language(self, language: Language) -> str:
        """Say it in a language; in English where that has no translation, or one that cannot be filled in."""
        if self.many:
            message = language.plural(self.catalogue, self.message, self.many, self.things)
        else:
            message = language.message(self.catalogue, self.message)
        if not self.values:
            return message
        told = {name: in_language(value, language) for name, value in self.values.items() if name != _BY_PLACE}
        by_place = [in_language(value, language) for value in self.values.get(_BY_PLACE, ())]
        try:
            return message.format(*by_place, **told)
        except (LookupError, ValueError, AttributeError, TypeError):
            return plain(self)


class _Number(Text):
    """A number as English writes it: "5,200.5"."""

    __slots__ = ()

    def in_language(self, language: Language) -> str:
        return language.number(plain(self))


class _Capital(Text):
    """A text that begins a sentence; `values["of"]` is the text."""

    __slots__ = ()

    def in_language(self, language: Language) -> str:
        return _upper_first(in_language(self.values["of"], language))


class _WithoutStop(Text):
    """A sentence without its stop; `values["of"]` is the sentence, `values["stop"]` how it ends."""

    __slots__ = ()

    def in_language(self, language: Language) -> str:
        return str(in_language(self.values["of"], language)).removesuffix(self.values["stop"])


class _Small(Text):
    """A title within a sentence: in small letters but in German; `values["of"]` is the text."""

    __slots__ = ()

    def in_language(self, language: Language) -> str:
        said = str(in_language(self.values["of"], language))
        return said if language.code == "de" else said.lower()


class _Named(Text):
    """What a record, or a file, has a name for; `values["says"]` is what it is called elsewhere."""

    __slots__ = ()

    def in_language(self, language: Language) -> str:
        return str(in_language(self.values["says"], language))


@lru_cache(maxsize=4096)
def text(message: str, catalogue: str = PROGRAM, about: str = "") -> Text:
    """Give a message. message: a literal, so that it can be found in the code; catalogue: see `Text`.

    about: what it is said of, a literal too, where other languages have several words for it ("first": button, place).
    """
    return Text(message, f"{about}{ABOUT}{message}" if about else message, catalogue)


def texts(one: str, many: str, count: int, /, catalogue: str = PROGRAM, **values: object) -> Text:
    """Give a message about `count` things, filled in: `{count}` in it is the number, the others are `values`."""
    values["count"] = count if abs(count) < 1000 else number(f"{count:,}")
    return Text((one if count == 1 else many).format(**values), one, catalogue, values, many, count)


def spoken(message: str, catalogue: str, translation: NullTranslations) -> Text:
    """Give a message of a game whose value is in the language that the game speaks; it remembers the message too."""
    if type(translation) is NullTranslations:
        return text(message, catalogue)
    return Text(translation.gettext(message), message, catalogue)


def spoken_many(
    one: str, many: str, count: int, catalogue: str, translation: NullTranslations, values: dict[str, object]
) -> Text:
    """Give a game's message about `count` things, filled in, by the language that the game speaks."""
    values["count"] = count
    message = translation.ngettext(one, many, count)
    return Text(message.format(**values), one, catalogue, values, many, count)


def number(digits: str) -> Text:
    """Give a number that has a decimal point, or thousands apart by commas; each language has its own signs."""
    return _Number(digits)


def named(name: str, says: str) -> Text:
    """Give a name as the record has it, which English says as it is; other languages say `says`."""
    return _Named(plain(name), values={"says": says})


def capital(words: str) -> Text:
    """Give a text as the beginning of a sentence: its first letter large, in every language."""
    return _Capital(_upper_first(plain(words)), values={"of": words})


def _upper_first(words: str) -> str:
    return words[:1].upper() + words[1:]


def without_stop(sentence: str, stop: str = ".") -> Text:
    """Give a sentence without its full stop, or whatever it ends with, in every language."""
    return _WithoutStop(plain(sentence).removesuffix(stop), values={"of": sentence, "stop": stop})


def with_value(said: str, value: str, other: str) -> str:
    """Give a text with something else filled in where `value` was: a colour written out, where there is room for it."""
    if not isinstance(said, Text) or not said.values:
        return said.replace(value, other, 1)
    values = {name: other if one == value else one for name, one in said.values.items()}
    message = said.message.rpartition(ABOUT)[2]
    return Text(message.format(**values), said.message, said.catalogue, values, said.many, said.things)


def small(words: str) -> Text:
    """Give a text as it stands within a sentence, where other languages than English have small letters too."""
    return _Small(plain(words).lower(), values={"of": words})


def joined(parts: Iterable[str], between: str = ", ") -> Text:
    """Give texts one after the other; between: what stands between two, the same in all languages (", ", "; ", " ").

    Only for what is no sentence: a row of cards, sentences that follow each other.
    """
    values = {f"_{place}": part for place, part in enumerate(parts)}
    message = between.replace("{", "{{").replace("}", "}}").join(f"{{{name}}}" for name in values)
    return Text(between.join(map(plain, values.values())), message, "", values)


def listed(parts: Iterable[str], by: Literal["and", "or"] = "and") -> str:
    """Give a list in words: "red", "red and blue", "red, green and blue"; by "or" what one may choose from."""
    found = tuple(parts)
    if len(found) < 2:
        return found[0] if found else ""
    before = joined(found[:-1])
    message = text("{parts} and {last}") if by == "and" else text("{parts} or {last}")
    return message.format(parts=before, last=found[-1])


def in_language(value: Any, language: Language) -> Any:
    """Put what is a text, or can be said as one (it has `in_language` too), into a language; all else is as it is."""
    say = getattr(value, "in_language", None)
    if say is None:
        return value
    return plain(value) if language.is_source and isinstance(value, Text) else say(language)


def plain(value: str) -> str:
    """Give a text's own value, in English, as a string and nothing more."""
    return str.__str__(value)
