"""Tries what the box needs of its libraries, before a version is put into use; draws the pictures for `show-fault`.

libraries.py                            import everything that is compiled, exit status 1 with the reason
libraries.py --fault-pictures FOLDER    draw
"""

import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / f"python{sys.version_info[0]}.{sys.version_info[1]}"))

NEEDED = (
    "msgspec", "PIL.Image", "luma.oled.device", "gpiozero", "serial", "uvicorn", "starlette.applications", "wsproto",
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "companion.app.run", "companion.app.assembly", "companion.app.service", "companion.app.pages",
    "companion.cli.doctor_run", "companion.cli.doctor",
)  # fmt: skip
READERS = ("gpiod", "lgpio")
"""One of them reads the pins; which, the program finds out."""


def fault() -> str | None:
    """Say what cannot be imported, None where all is well."""
    for name in NEEDED:
        try:
            importlib.import_module(name)
        except Exception as error:  # noqa: BLE001 - whatever a broken library raises
            return f"{name}: {type(error).__name__}: {error}"
    if not any(is_there(name) for name in READERS):
        return f"none of {', '.join(READERS)} can be imported: apt install python3-lgpio"
    return None


def is_there(name: str) -> bool:
    """Tell whether a library can be imported."""
    try:
        importlib.import_module(name)
    except Exception:  # noqa: BLE001 - whatever a broken library raises
        return False
    return True


def main(arguments: list[str]) -> int:
    """Do what is asked."""
    if arguments[:1] == ["--fault-pictures"]:
        from companion.app.fault_pictures import draw  # noqa: PLC0415 - see above

        draw(Path(arguments[1]))
        return 0
    if (why := fault()) is not None:
        sys.stderr.write(f"{why}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
