"""Which consoles a kernel is told of: `cmdline.txt`, and the file that Debian makes it from. Does no I/O.

`console=serial0,115200` has the kernel and a login talk on GPIO 14 and 15. `cmdline.txt` is one line of words. Debian's
package raspi-firmware writes it anew with each kernel, by CONSOLES in `/etc/default/raspi-firmware`: "auto" is a screen
and a serial port.
"""

from __future__ import annotations

import re

from companion.adapters.boot_files.config_txt import LINES, Edited

SERIAL = re.compile(r"(?:console|kgdboc)=(?:serial0|tty(?:AMA|S)[01])(?:,\S*)?")
"""A serial port of the header. ttyAMA10 is a Pi 5's own socket, and is left."""
PORT = re.compile(r"(?:serial0|tty(?:AMA|S)[01])(?:,.*)?")
CONSOLES = re.compile(r"""[ \t]*CONSOLES=(["']?)([^"'#\n]*)\1""")
SCREEN = "tty0"


def edited_cmdline(text: str) -> Edited:
    """Give the kernel's line without serial consoles; the same text where there is none."""
    found = [word for word in text.split() if SERIAL.fullmatch(word)]
    if not found:
        return Edited(text)
    for word in found:
        text = re.sub(rf"(?:(?<=\s)|^){re.escape(word)}(?:[ \t]+|(?=\s|\Z))", "", text, count=1)
    line, end = text.rstrip("\r\n"), text[len(text.rstrip("\r\n")) :]
    changes = tuple(f'line 1: "{word}" has to go: GPIO 14 and 15 are buttons' for word in found)
    return Edited(line.rstrip(" \t") + end, changes)


def edited_defaults(text: str) -> Edited:
    """Give `/etc/default/raspi-firmware` with a screen as console, and no serial port."""
    lines = LINES.findall(text)
    number = max((n for n, line in enumerate(lines) if CONSOLES.match(line)), default=None)
    match = None if number is None else CONSOLES.match(lines[number])
    named = match[2].split() if match else ["auto"]
    if not any(one == "auto" or PORT.fullmatch(one) for one in named):
        return Edited(text)
    kept = [one for one in named if one != "auto" and not PORT.fullmatch(one)] or [SCREEN]
    new = f'CONSOLES="{" ".join(kept)}"\n'
    if number is None:
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        lines.append(new)
        return Edited("".join(lines), (f"{new.strip()} belongs at the end: GPIO 14 and 15 are buttons",))
    was = lines[number].strip()
    lines[number] = f"#{lines[number] if lines[number].endswith(chr(10)) else lines[number] + chr(10)}{new}"
    return Edited("".join(lines), (f"line {number + 1}, {was}, has to be {new.strip()}: GPIO 14 and 15 are buttons",))
