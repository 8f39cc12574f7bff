"""Reads the box's settings: TOML and the command line to frozen values.

Three layers, the later wins: built in, the file, the command line. A wrong setting is an error that names where it
stands. Opens no device; knows no game but the names of those installed.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec
from msgspec import inspect

from companion.config.pins import PinMap, built_in, parse_pins
from companion.config.settings import Settings
from companion.config.toml_file import Key, Origins, TomlFile, did_you_mean, toml_value
from companion.core.ruling.parameters import variants_of
from companion.core.shown import displays
from companion.games import registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.config.groups.event import EventSettings
    from companion.config.settings import Box, DisplaySettings, MatchSettings

SUCCESSORS = {"confirm_ms": "accept_ms"}
"""Keys that were, each with the one that says it now."""
GONE = {"card_fresh_s": "the box judges with the cards it knows, and asks nobody"}
"""Keys that were and have no successor, each with the reason."""

_Table = TypeVar("_Table", bound=msgspec.Struct)


class Flag(NamedTuple):
    """A setting given on the command line: `flag` as it was typed ("--window")."""

    flag: str
    key: Key
    value: object


def load(path: Path | None = None, flags: Iterable[Flag] = ()) -> Settings:
    """Give the effective settings: built in, then the file, then the command line.

    path: None for no file. Raises Unavailable (no such file), Malformed (a wrong setting; WrongOption where it was
    given on the command line).
    """
    given = list(flags)
    file = None if path is None else TomlFile(path)
    origins = Origins(file, {flag.key: flag.flag for flag in given})
    table: dict[str, Any] = {} if file is None else file.table
    for flag in given:
        table = _with(table, flag.key, flag.value, origins)
    settings = _read(Settings, table, (), origins)
    _check_display(settings, origins)
    _check_game(settings.match, origins)
    _check_event(settings.event, origins)
    return settings


def usual_file(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Give the file that is read when none is named: the user's, else the machine's; None where there is neither."""
    home = Path(environ.get("XDG_CONFIG_HOME") or Path(environ.get("HOME", "/")) / ".config")
    for candidate in (home / "table-companion" / "config.toml", Path("/etc/table-companion/config.toml")):
        if candidate.is_file():
            return candidate
    return None


def state_directory(box: Box, environ: Mapping[str, str] = os.environ) -> Path:
    """Give the directory that matches are kept in; it need not exist yet."""
    if box.state_dir:
        return Path(box.state_dir).expanduser()
    if given := environ.get("STATE_DIRECTORY"):  # set by systemd's StateDirectory=, more than one by colons
        return Path(given.split(":")[0])
    home = environ.get("XDG_STATE_HOME") or Path(environ.get("HOME", "/")) / ".local" / "state"
    return Path(home) / "table-companion"


def allowed(kind: inspect.Type) -> str:
    """Say what a setting of this type may be."""
    match kind:
        case inspect.Metadata():
            text = allowed(kind.type)
        case inspect.UnionType():
            text = " or ".join(allowed(one) for one in kind.types if not isinstance(one, inspect.NoneType))
        case inspect.BoolType():
            text = "true or false"
        case inspect.IntType():
            text = f"a whole number from {kind.ge} to {kind.le}"
        case inspect.FloatType():
            text = f"a number from {kind.ge} to {kind.le}"
        case inspect.StrType():
            text = "text in quotes" if kind.max_length is None else f"text of at most {kind.max_length} characters"
        case inspect.LiteralType():
            text = f"one of {', '.join(toml_value(value) for value in kind.values)}"
        case inspect.VarTupleType():
            text = f"a list in brackets, each item {allowed(kind.item_type)}"
        case _:
            raise TypeError(f"no setting has the type {kind}")
    return text


def _with(table: dict[str, Any], key: Key, value: object, origins: Origins) -> dict[str, Any]:
    """Give a copy of a table with one value set."""
    head, *rest = key
    if not rest:
        return {**table, head: value}
    inner = table.get(head, {})
    if not isinstance(inner, dict):
        raise origins.wrong(key[:1], "must be a table", inner)
    return {**table, head: _with(inner, tuple(rest), value, origins)}


def _read(kind: type[_Table], table: Mapping[str, Any], key: Key, origins: Origins) -> _Table:
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    values: dict[str, Any] = {}
    for name, value in table.items():
        here = (*key, name)
        if (successor := SUCCESSORS.get(name)) in fields:
            raise origins.wrong(here, f"there is no such key any more: what it said is now {successor}")
        if name in GONE:
            raise origins.wrong(here, f"there is no such key any more: {GONE[name]}")
        if name not in fields:
            raise origins.wrong(here, f"there is no such {'key' if key else 'table'}; {did_you_mean(name, fields)}")
        values[name] = _value(fields[name].type, value, here, origins)
    return kind(**values)


def _value(kind: Any, value: object, key: Key, origins: Origins) -> Any:
    is_struct = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    if is_struct or kind is PinMap:
        if not isinstance(value, dict):
            raise origins.wrong(key, f"must be a table: [{'.'.join(key)}]", value)
        return parse_pins(value, origins) if kind is PinMap else _read(kind, value, key, origins)
    try:
        found = msgspec.convert(value, kind)
    except msgspec.ValidationError:
        raise origins.wrong(key, f"must be {allowed(inspect.type_info(kind))}", value) from None
    if isinstance(found, str) and not found.isprintable():
        raise origins.wrong(key, "has characters that cannot be shown", value)
    return found


def _check_game(match: MatchSettings, origins: Origins) -> None:
    if match.game not in registry.listed():
        there_are = did_you_mean(match.game, registry.names())
        raise origins.wrong(("match", "game"), f"no game of this name is installed; {there_are}", match.game)
    if why := registry.problem(match.game):
        raise origins.wrong(("match", "game"), f"this game cannot be played: {why}", match.game)
    _check_files(match, origins)
    if not match.variants:
        return
    key = ("match", "variants")
    known = [variant.key for variant in variants_of(registry.find(match.game).parameters)]
    for variant in match.variants:
        if not known:
            raise origins.wrong(key, f"the game {match.game} has no variants", match.variants)
        if variant not in known:
            raise origins.wrong(key, f'no variant "{variant}" in {match.game}; {did_you_mean(variant, known)}')
        if match.variants.count(variant) > 1:
            raise origins.wrong(key, f'"{variant}" stands there twice', match.variants)


def _check_files(match: MatchSettings, origins: Origins) -> None:
    """See that each names a file that the game asks for; what is in them is read once the box starts."""
    if not match.files:
        return
    key = ("match", "files")
    known = [parameter.key for parameter in registry.find(match.game).parameters if parameter.kind == "file"]
    if not known:
        raise origins.wrong(key, f"the game {match.game} asks for no file", match.files)
    given = [file.partition("=") for file in match.files]
    for (asked, _, name), said in zip(given, match.files, strict=True):
        if not name.strip():
            raise origins.wrong(key, f'"{said}" names no file: right would be "{known[0]}=FILE"')
        if asked not in known:
            raise origins.wrong(key, f'{match.game} asks for no file "{asked}"; {did_you_mean(asked, known)}')
        if sum(asked == other for other, _, _ in given) > 1:
            raise origins.wrong(key, f'"{asked}" stands there twice')


def _check_event(event: EventSettings, origins: Origins) -> None:
    """See that an event is named whole, and that a certificate has its key."""
    if event.broker:
        for name in ("event", "box"):
            if not getattr(event, name):
                raise origins.wrong(("event", name), "must be set, as event.broker is: ask at the desk", "")
    for name, other in (("certificate", "key"), ("key", "certificate")):
        if getattr(event, name) and not getattr(event, other):
            raise origins.wrong(("event", other), f"must be set, as event.{name} is", "")
    if event.broker.startswith("mqtt://") and (event.ca_file or event.certificate):
        raise origins.wrong(("event", "broker"), "must be mqtts://, as a certificate is set", event.broker)


_SPI_PINS = {
    0: {10: "MOSI", 9: "MISO", 11: "SCLK", 8: "chip select 0", 7: "chip select 1"},
    1: {20: "MOSI", 19: "MISO", 21: "SCLK", 18: "chip select 0", 17: "chip select 1", 16: "chip select 2"},
}
_I2C_PINS = {2: "SDA", 3: "SCL"}


def _check_display(settings: Settings, origins: Origins) -> None:
    """Check the display against itself and the pins."""
    display = settings.display
    if display.kind == "none":
        return
    chip = displays.CHIPS[display.kind]
    if display.interface not in chip.interfaces:
        text = f'an {display.kind} speaks only {displays.only(chip)}: interface = "{chip.interfaces[0]}"'
        raise origins.wrong(("display", "interface"), text, display.interface)
    if settings.picture.second_address:
        _check_second(display, settings.picture.second_address, origins)
    taken: dict[int, str] = {}
    if display.interface == "i2c":
        if display.i2c_bus == 1:
            taken = {gpio: f"{wire} of the display's I2C bus" for gpio, wire in _I2C_PINS.items()}
    else:
        taken = _spi_pins(display, origins)
    own = {"i2c_sda", "i2c_scl"} if display.interface == "i2c" else set()
    for name, gpio in settings.pins.named.items():
        if gpio not in taken or name in own:
            continue
        if settings.pins == built_in():
            text = (
                f'GPIO {gpio} is {taken[gpio]}, and "{name}" in the built-in pins; give a [pins] table that avoids it'
            )
            raise origins.wrong(("display", "interface"), text, display.interface)
        text = f'GPIO {gpio} is {taken[gpio]}; give "{name}" another pin, or change [display]'
        raise origins.wrong(("pins", name), text, gpio)


def _check_second(display: DisplaySettings, address: int, origins: Origins) -> None:
    key = ("picture", "second_address")
    if display.interface != "i2c":
        raise origins.wrong(key, 'a second display is on the I2C bus of the first: interface = "i2c"', address)
    if address == display.i2c_address or address < 0x08:
        text = f"the second display needs an address of its own, 0x3c or 0x3d; the first has {display.i2c_address:#04x}"
        raise origins.wrong(key, text, address)


def _spi_pins(display: DisplaySettings, origins: Origins) -> dict[int, str]:
    wires = _SPI_PINS[display.spi_port]
    if f"chip select {display.spi_device}" not in wires.values():
        raise origins.wrong(("display", "spi_device"), "SPI port 0 has the chip selects 0 and 1", display.spi_device)
    taken = {gpio: f"{wire} of the display's SPI port {display.spi_port}" for gpio, wire in wires.items()}
    for name in ("spi_dc_gpio", "spi_reset_gpio"):
        gpio: int = getattr(display, name)
        if gpio in taken:
            raise origins.wrong(("display", name), f"GPIO {gpio} is already {taken[gpio]}", gpio)
        taken[gpio] = f"the display's D/C wire ({name})" if name == "spi_dc_gpio" else f"the display's reset ({name})"
    return taken
