"""Lists, exports, takes in and deletes profiles, and prints people's cards: what `companion profiles` does.

For whoever may read the box's state directory. A running box has the profiles in its memory: they are changed on its
page then, and this says so.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.app.devices import make_source
from companion.app.storing.profiles import profiles_in
from companion.cli.button_trial import Ear
from companion.cli.labels import Printing, printed, sheet_options, write_labels
from companion.cli.options import checked, config_option, read_settings, state_dir_option
from companion.cli.people.command import changing
from companion.cli.profiles.trial import try_hand
from companion.config.reading import state_directory
from companion.core.errors import Unavailable
from companion.core.panel import Colour
from companion.core.profiles.exchange import LARGEST_TOLD, as_code, as_file, read_profile
from companion.core.profiles.profile import Profile
from companion.core.profiles.sitting import CARD_MARK
from companion.core.profiles.wishes import concessions_of, wishes_of
from companion.core.words.encoding import encode
from companion.files.reading import read_start, write_output
from companion.screens.labels.pdf import Label
from companion.screens.labels.symbols import QUIET, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.app.storing.profiles import StoredProfiles

STANDARD_INPUT = "-"


@click.group("profiles")
def command() -> None:
    """Profiles of players: how each plays, in a file or a code that goes with them."""


@command.command("list")
@config_option
@state_dir_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, each a whole profile.")
def list_command(config_file: Path | None, state_dir: str | None, as_json: bool) -> None:
    """List the profiles, and what of each every seat is asked to agree to."""
    profiles = stored(config_file, state_dir)
    for profile in profiles.kept:
        if as_json:
            click.echo(encode(profile).decode())
        else:
            card = "has a card" if profile.card else "no card"
            click.echo(f"{profile.name:12}  {'; '.join((card, profile.input, *concessions_of(profile)))}")
    for problem in profiles.problems:
        click.echo(problem, err=True)


@command.command("export")
@config_option
@state_dir_option
@click.argument("name")
@click.option("--code", "as_qr", is_flag=True, help="As a QR code instead: in the terminal, or as SVG with -o.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Write it to a file.")
def export_command(
    config_file: Path | None, state_dir: str | None, name: str, as_qr: bool, output: Path | None
) -> None:  # fmt: skip
    """Print the profile of NAME, for another box's page, command or scanner."""
    profile = stored(config_file, state_dir).of(name)
    if as_qr:
        _write_code(as_code(profile), output)
    elif output is None:
        sys.stdout.buffer.write(as_file(profile))
    else:
        write_output(output, as_file(profile))


@command.command("import")
@config_option
@state_dir_option
@click.argument("file", metavar="FILE")
@click.option("--instead", is_flag=True, help="In the place of the profile that a person of this name has here.")
def import_command(config_file: Path | None, state_dir: str | None, file: str, instead: bool) -> None:
    """Take in the profile in FILE, or in the text of a code; - reads standard input."""
    most = LARGEST_TOLD + 1
    content = sys.stdin.buffer.read(most) if file == STANDARD_INPUT else read_start(Path(file), most)
    read_profile(content)
    with changing_profiles(config_file, state_dir, begins=True) as profiles:
        kept = profiles.take_in(content, instead=instead)
    click.echo(f"the profile of {kept.name} is kept")
    for said in concessions_of(kept):
        click.echo(said)


@command.command("cards")
@config_option
@state_dir_option
@click.argument("out", metavar="OUT.pdf", type=click.Path(path_type=Path))
@click.argument("names", metavar="[NAME]...", nargs=-1)
@sheet_options("a4-24")
def cards_command(
    config_file: Path | None, state_dir: str | None, out: Path, names: tuple[str, ...], printing: Printing
) -> None:  # fmt: skip
    """Write the cards of these people, or of all with a profile, for a printer at 100 %; who has none gets one."""
    profiles = stored(config_file, state_dir)
    chosen = [profiles.of(name) for name in names] if names else list(profiles.kept)
    if any(not profile.card for profile in chosen):
        with changing_profiles(config_file, state_dir) as changed:
            chosen = [one if one.card else changed.new_card(one.name) for one in chosen]
    labels = [Label(f"{CARD_MARK}{profile.card}", profile.name) for profile in chosen]
    pages = checked(lambda: write_labels(out, labels, "Cards of players", printing))
    click.echo(f"{printed(len(labels), pages, printing.on, 'card')}; whoever holds a card takes a seat by its profile")


@command.command("delete")
@config_option
@state_dir_option
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask first.")
def delete_command(config_file: Path | None, state_dir: str | None, name: str, yes: bool) -> None:
    """Delete the profile of NAME, who stays on the list: `companion people delete` deletes the person."""
    if not yes:
        click.confirm(f"Delete the profile of {name}, with all that was measured, for good?", abort=True, err=True)
    with changing_profiles(config_file, state_dir) as profiles:
        click.echo(profiles.drop(name))


@command.command("trial")
@config_option
@state_dir_option
@click.argument("name")
@click.option("--seat", type=click.Choice([str(colour) for colour in Colour]), required=True, help="Whose buttons.")
@click.option("--keep", is_flag=True, help="Keep what is proposed without asking.")
def trial_command(config_file: Path | None, state_dir: str | None, name: str, seat: str, keep: bool) -> int:
    """Have NAME press the box's own buttons as they mean it; show each touch, and propose what their hand needs."""
    settings = read_settings(config_file, state_dir=state_dir)
    profile = stored(config_file, state_dir).find(name) or Profile(name=name)
    source = make_source(settings.source, settings.pins, state_directory(settings.box))
    if source is None:
        raise Unavailable('source.kind = "none": this box reads no buttons; the page /profile tries hands, too')
    source.open()
    try:
        proposal = try_hand(Ear(source), Colour(seat), profile.filters, click.echo).proposal
    finally:
        source.close()
    if proposal is None:
        return 1
    if keep or click.confirm(f"Keep this in the profile of {name}?", err=True):
        filters = msgspec.structs.replace(
            profile.filters, accept_ms=proposal.accept_ms, repeat_ms=proposal.repeat_ms or None
        )
        with changing_profiles(config_file, state_dir, begins=True) as profiles:
            wishes = wishes_of(profiles.begin(name))
            profiles.wish(profiles.of(name), msgspec.structs.replace(wishes, filters=filters))
        click.echo(f"the profile of {name} has it: it holds from the next match on")
    return 0 if proposal.fits else 1


def stored(config_file: Path | None, state_dir: str | None) -> StoredProfiles:
    """Give the profiles of the box that the settings are of."""
    profiles = profiles_in(state_directory(read_settings(config_file, state_dir=state_dir).box))
    profiles.look()
    return profiles


@contextmanager
def changing_profiles(
    config_file: Path | None, state_dir: str | None, *, begins: bool = False
) -> Iterator[StoredProfiles]:  # fmt: skip
    """Give them for changing. begins: on a box that never ran, too. Raises Unavailable while the box is running."""
    box = read_settings(config_file, state_dir=state_dir).box
    with changing(box, begins=begins):
        yield profiles_in(state_directory(box))


def _write_code(text: str, output: Path | None) -> None:
    import io

    import segno

    code = segno.make_qr(text, error="m")
    if output is None:
        code.terminal(sys.stdout, compact=True, border=QUIET[Kind.QR])
        return
    drawn = io.BytesIO()
    code.save(drawn, kind="svg", border=QUIET[Kind.QR], scale=4)
    write_output(output, drawn.getvalue())
