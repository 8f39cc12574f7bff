"""What `companion deck` does with a scanner.

`enrol`: a card is scanned, a person says which it is, the deck's file grows by a line. `scan`: what is scanned is said.
"""

from __future__ import annotations

import queue
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.scanner import load_deck, make_scanner
from companion.cli.labels import command as labels
from companion.cli.options import Number, config_option, read_settings
from companion.config.deck_file import Deck, read_deck, write_deck
from companion.core.errors import Malformed, Unavailable
from companion.core.play.scanning import Scan, Unreadable
from companion.games import registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.config.settings import Scanner as ScannerSettings

PATIENCE_S = 120.0


@click.group("deck")
def command() -> None:
    """Cards for a scanner: labels to print, factory codes to enrol."""


command.add_command(labels)


@command.command("enrol")
@config_option
@click.argument("deck_file", metavar="DECK.toml", type=click.Path(path_type=Path))
@click.option("--game", default=registry.first, show_default=True, help="Whose cards, for a new file.")
def _enrol_command(config_file: Path | None, deck_file: Path, game: str) -> int:
    """Scan each card and say which it is; the codes are kept in DECK.toml."""
    scanner = read_settings(config_file).scanner
    return enrol_cards(scanner, deck_file, game, lambda question: str(click.prompt(question)), click.echo)


@command.command("scan")
@config_option
@click.option("--seconds", type=Number(1, 86_400), default=60, show_default=True, help="End when so long nothing came.")
def _scan_command(config_file: Path | None, seconds: int) -> int:
    """Say what the scanner of the settings reads, and which card it is, to try it; Ctrl-C ends it."""
    settings = read_settings(config_file)
    return scan_cards(settings.scanner, settings.match.game, click.echo, seconds)


def scan_cards(chosen: ScannerSettings, game: str, say: Callable[[str], None], patience_s: float) -> int:
    """Say what is scanned until nothing is for `patience_s`; give the exit status: 1 where nothing ever was.

    Raises Malformed, Unavailable.
    """
    _verify_set(chosen)
    deck, read = load_deck(chosen, game), 0
    scans: queue.SimpleQueue[Scan | Unreadable | str | None] = queue.SimpleQueue()
    scanner = make_scanner(chosen, lambda scan, _t_ns: scans.put(scan), scans.put)
    scanner.start()
    try:
        while True:
            scan = scans.get(timeout=patience_s)
            read += isinstance(scan, Scan)
            say(_told(scan, deck))
    except queue.Empty:
        say("nothing was scanned: ended")
    finally:
        scanner.close()
    return 0 if read else 1


def _told(scan: Scan | Unreadable | str | None, deck: Deck) -> str:
    if isinstance(scan, Scan):
        card = deck.card(scan.code)
        return f"{scan.code}: {card or f'no card of the deck of {deck.game} (companion deck enrol)'}"
    if isinstance(scan, Unreadable):
        return f"not taken: {scan.text}"
    return scan or "scan a card"


def _verify_set(chosen: ScannerSettings) -> None:
    if not chosen.port:
        raise Unavailable("no scanner is set: give its port as scanner.port in the settings")


def enrol_cards(
    chosen: ScannerSettings,
    path: Path,
    game: str,
    ask: Callable[[str], str],
    say: Callable[[str], None],
    patience_s: float = PATIENCE_S,
) -> int:
    """Enrol cards until the deck is whole, "done" is answered, or nothing is scanned for `patience_s`.

    Gives the exit status: 0 for a whole deck, 1 for one with cards missing (the file keeps what was enrolled). Raises
    Malformed, Unavailable.
    """
    _verify_set(chosen)
    deck = read_deck(path) if path.exists() else Deck(game)
    scans: queue.SimpleQueue[Scan | Unreadable | str | None] = queue.SimpleQueue()
    scanner = make_scanner(chosen, lambda scan, _t_ns: scans.put(scan), scans.put)
    scanner.start()
    try:
        _enrol(deck, path, scans, ask, say, patience_s)
    finally:
        scanner.close()
    missing = deck.missing()
    say(f"{len(deck.codes)} cards are enrolled; {sum(missing.values())} are missing")
    return 1 if missing else 0


def _enrol(
    deck: Deck,
    path: Path,
    scans: queue.SimpleQueue[Scan | Unreadable | str | None],
    ask: Callable[[str], str],
    say: Callable[[str], None],
    patience_s: float,
) -> None:
    last, is_there = "", False  # opening the port empties it: nobody is asked to scan before
    while deck.missing():
        if is_there:
            say(f"scan a card ({sum(deck.missing().values())} to go)")
        try:
            scan = scans.get(timeout=patience_s)
        except queue.Empty:
            say("nothing was scanned: ended")
            return
        if not isinstance(scan, Scan):
            is_there = not isinstance(scan, str)
            if scan is not None:
                say(f"not taken: {scan.text}" if isinstance(scan, Unreadable) else scan)
            continue
        if (known := deck.card(scan.code)) is not None:
            say(f"{scan.code} is {known} already")
            continue
        again = f", = for {last}" if last else ""
        card = ask(f"{scan.code} is (name of the card, done to stop{again})").strip()
        if card == "done":
            return
        try:
            deck.enrol(scan.code, last if card == "=" else card)
        except Malformed as error:
            say(str(error))
            continue
        last = deck.codes[scan.code]
        _write(path, deck)


def _write(path: Path, deck: Deck) -> None:
    try:
        write_deck(path, deck)
    except OSError as error:
        raise Unavailable(f"cannot write {path}: {error.strerror or error}") from error
