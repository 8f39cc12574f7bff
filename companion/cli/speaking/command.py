"""`companion voice`: hear the box's voice, write what it would say to a file, list the voices there are."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.adapters.voice import EspeakNg
from companion.adapters.voice.espeak import voices_of
from companion.app.speech.speakers import manner_of, speakers_of
from companion.app.speech.spellings import spellings
from companion.cli.options import config_option, read_settings
from companion.core.errors import Unavailable
from companion.core.speech.utterance import Phase, Utterance
from companion.screens.speech.pronounced import pronounced

if TYPE_CHECKING:
    from companion.core.speech.utterance import Heard
    from companion.ports import Speaker

TRIAL = {
    "en": "Red is first. Blue 83 ms ±40 µs. This is how I speak.",
    "it": "Il rosso è primo. Il blu +83 ms. Io parlo così.",
    "fr": "Le rouge est premier. Le bleu +83 ms. Voilà comment je parle.",
    "de": "Rot ist Erster. Blau +83 ms. So spreche ich.",
}
LONGEST_S = 120.0


@click.command("voice")
@config_option
@click.argument("text", required=False)
@click.option("--test", "is_test", is_flag=True, help="Say a sentence with a time in it.")
@click.option("--list", "is_list", is_flag=True, help="List the voices of espeak-ng: language and name.")
@click.option("--language", metavar="CODE", help="Of the voice: en, it, fr, de, or a country's (en-us).")
@click.option("--device", metavar="NAME", help="Sound device, as aplay -L names it.")
@click.option("--to", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write a WAV file instead.")
def command(
    config_file: Path | None,
    text: str | None,
    is_test: bool,
    is_list: bool,
    language: str | None,
    device: str | None,
    file: Path | None,
) -> int:
    """Say TEXT as the box would say it, to hear its voice or to choose one."""
    if is_list:
        for tag, name in voices_of():
            click.echo(f"{tag:<16} {name}")
        return 0
    settings = read_settings(config_file)
    manner = manner_of(settings.voice, settings.box.language)
    manner = manner._replace(language=language) if language else manner
    said = text or (TRIAL.get(manner.language.split("-", maxsplit=1)[0], TRIAL["en"]) if is_test else "")
    if not said:
        raise click.UsageError("give a text, --test or --list")
    utterance = Utterance(1, pronounced(said, manner.language, spellings(manner.language.partition("-")[0])), manner)
    if file is not None:
        EspeakNg().write(utterance, file)
        return 0
    own: list[Speaker] = [EspeakNg(device or settings.voice.device)]
    speakers = own if device else speakers_of(settings.voice) or own
    return _say(speakers, utterance)


def _say(speakers: list[Speaker], utterance: Utterance) -> int:
    """Say it by the first that can be opened, and wait for its end. Raises Unavailable."""
    why: Unavailable | None = None
    for speaker in speakers:
        over = threading.Event()
        told: list[Heard] = []

        def hear(heard: Heard, told: list[Heard] = told, over: threading.Event = over) -> None:
            if heard.phase is not Phase.BEGAN:
                told.append(heard)
                over.set()

        try:
            sys.stderr.write(f"{speaker.open(hear)}\n")
            speaker.say(utterance)
            if over.wait(LONGEST_S) and told[0].phase is Phase.ENDED:
                return 0
            why = Unavailable(told[0].why if told else "the voice does not come to an end")
        except Unavailable as error:
            why = error
        finally:
            speaker.close()
    raise why or Unavailable("there is no voice")
