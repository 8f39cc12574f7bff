"""Turns the encryption of the pages on and off, and makes what it needs: `companion encrypt`.

The files are made by the web adapter and the settings edited in place; a running box takes a new server certificate up
within a minute, and whether pages are encrypted at its next start.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.adapters.web.encryption.checking import fingerprint
from companion.adapters.web.encryption.keeping import CertificateFolder
from companion.adapters.web.encryption.own_names import own_names
from companion.cli.options import config_option, read_settings, state_dir_option
from companion.config import toml_edit
from companion.config.reading import state_directory, usual_file
from companion.core.errors import CompanionError, Unavailable
from companion.files import durable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.adapters.web.encryption.own_names import Called

HEADING = "Settings of the box; `companion config` prints all that there are."
RESTART = "it holds from the box's next start: sudo systemctl restart companion"


@click.command("encrypt")
@config_option
@state_dir_option
@click.option("--off", is_flag=True, help="Serve plain pages again; the certificates stay.")
@click.option("--renew", is_flag=True, help="Make a new server certificate now; phones need not trust anew.")
@click.option("--anew", is_flag=True, help="Make another authority; every phone must trust this box anew.")
def command(config_file: Path | None, state_dir: str | None, off: bool, renew: bool, anew: bool) -> int:
    """Encrypt the pages by a certificate authority of this box's own."""
    if off + renew + anew > 1:
        raise click.UsageError("--off, --renew, --anew: one of them at a time", click.get_current_context())
    settings = read_settings(config_file, state_dir=state_dir)
    file = config_file or usual_file() or new_file()
    if not off:
        called = own_names(settings.web.names, settings.web.host)
        files = CertificateFolder(state_directory(settings.box))
        prepare(files, called, click.echo, renew=renew, anew=anew)
    if settings.web.tls == (not off):
        click.echo(f"the pages are {'encrypted' if settings.web.tls else 'not encrypted'} already, says {file}")
    else:
        turn(file, is_on=not off)
        click.echo(f"{file}: the pages are {'plain' if off else 'encrypted'}; {RESTART}")
    return 0


def prepare(
    files: CertificateFolder, called: Called, say: Callable[[str], object], *, renew: bool = False, anew: bool = False
) -> None:
    """See to an authority and a server certificate by it, and say what was made and how phones come to trust it.

    An authority that is there is never replaced but with `anew`. Raises Unavailable, Malformed.
    """
    if anew or not files.is_begun():
        again = " again: what it trusts by now is worth nothing" if files.is_begun() else ""
        files.begin(called)
        say(f"made an authority of this box's own in {files.folder}; every phone must be told to trust it{again}")
    elif renew or (why := _why_renew(files, called)):
        left_out = _renewed(files, called)
        say(f"made a new server certificate{'' if renew else f': {why}'}; phones need not trust anew")
        if left_out:
            say(f"the authority cannot vouch for {', '.join(left_out)}: companion encrypt --anew makes one that can")
    if fault := files.authority_fault():
        say(f"warning: {fault}")
    seen = files.look()
    say(f"names: {', '.join(sorted(seen.names))}")
    say(f"fingerprint (SHA-256): {fingerprint(seen.authority)}")
    say("compare it on each phone; once the box runs, its display and its pages say how (the knob leads there)")


def _why_renew(files: CertificateFolder, called: Called) -> str:
    try:
        return files.why_renew(files.look(), called)
    except CompanionError as error:
        return str(error)


def _renewed(files: CertificateFolder, called: Called) -> tuple[str, ...]:
    try:
        return files.renew(called)
    except CompanionError as error:
        raise Unavailable(
            f"{error}; put {files.authority} back, or make another authority, which every phone must be told to trust"
            " again: companion encrypt --anew"
        ) from error


def new_file(environ: Mapping[str, str] = os.environ) -> Path:
    """Give the settings file to begin where there is none: the machine's for the superuser, else the user's."""
    if os.geteuid() == 0:
        return Path("/etc/table-companion/config.toml")
    home = environ.get("XDG_CONFIG_HOME") or Path(environ.get("HOME", "/")) / ".config"
    return Path(home) / "table-companion" / "config.toml"


def turn(file: Path, *, is_on: bool) -> None:
    """Set `web.tls` in a settings file; what people wrote into it stays. Raises Unavailable, Malformed."""

    def change(document: Any) -> None:
        toml_edit.table_of(document, "web")["tls"] = is_on

    try:
        durable.make_folder(file.parent)
        toml_edit.edit(file, HEADING, change)
    except OSError as error:
        raise Unavailable(f"{file} cannot be changed: {error.strerror or error}; it needs web.tls = "
                          f"{'true' if is_on else 'false'}") from error  # fmt: skip
