"""What `companion doctor` says of the voice and of earphones: which it is, or what is missing and how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Unavailable
from companion.core.panel import Colour

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.config.settings import Seats, Voice
    from companion.core.speech.utterance import Heard
    from companion.ports import Speaker

    Look = tuple[str, Callable[[], str]]
    """What is looked at, and what says how it is; raises Unavailable with the reason and how to mend it."""


def voices_to_look_at(voice: Voice, seats: Seats) -> tuple[Look, ...]:
    """Give the box's voice and each earphone that the settings name; nothing of them is imported where none is."""
    devices = {colour: seats.of(colour).earphone for colour in Colour if seats.of(colour).earphone}
    if voice.kind == "none" and not devices:
        return ()
    from companion.adapters.voice import EspeakNg
    from companion.app.speech.speakers import speakers_of

    found: list[Look] = []
    if voice.kind != "none":
        found.append(("voice", lambda: look_at(speakers_of(voice))))
    for colour, device in devices.items():
        ear = EspeakNg(device)
        found.append((f"{colour}'s earphone", lambda ear=ear: look_at([ear])))  # type: ignore[misc]
    return tuple(found)


def look_at(speakers: Sequence[Speaker]) -> str:
    """Open the first that can be, and say what it is. Raises Unavailable: why the last cannot."""
    why: Unavailable | None = None
    for speaker in speakers:
        try:
            return speaker.open(_not_heard)
        except Unavailable as error:
            why = error
        finally:
            speaker.close()
    raise why or Unavailable("no voice is set")


def _not_heard(_heard: Heard) -> None:
    """Nothing is said."""
