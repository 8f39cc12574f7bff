"""What lies beside the image: check sums, its packages with versions and sources, Raspberry Pi Imager's entry.

Imager offers user, Wi-Fi and name only for an image that says how it takes them (`init_format`): a file that is chosen
by hand says nothing, so the entry comes as a manifest, which Imager opens.
"""

import hashlib
import json
import time
from pathlib import Path
from typing import Any

from systemd.image.archives import MODELS, Archive

FORMATS = {"debian": "cloudinit", "raspberrypi": "cloudinit-rpi"}
"""What Imager writes: Debian's cloud-init knows no `rpi:`."""
FIELDS = r"${Package}\t${Version}\t${source:Package}\t${source:Version}\t${Architecture}\n"
HEADING = "package\tversion\tsource\tsource version\tarchitecture\n"
ICON = "icons/use_custom.png"
"""One that Imager itself has: none is fetched."""
CHUNK = 1024 * 1024


def sha256(path: Path) -> str:
    """Give a file's SHA-256, hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(CHUNK):
            digest.update(block)
    return digest.hexdigest()


def write_sum(path: Path) -> Path:
    """Write a file's SHA-256 beside it, as `sha256sum -c` reads it."""
    beside = path.with_name(f"{path.name}.sha256")
    beside.write_text(f"{sha256(path)}  {path.name}\n")
    return beside


def entry(image: Path, packed: Path, archive: Archive, version: str, seconds: int, url: str) -> dict[str, Any]:
    """Give Imager's entry. url: where the packed image will be, or is."""
    return {
        "os_list": [
            {
                "name": f"Table companion {version}",
                "description": "Referee box for games with real cards, on Raspberry Pi OS Lite's packages (64 bit)",
                "icon": ICON,
                "url": url,
                "extract_size": image.stat().st_size,
                "extract_sha256": sha256(image),
                "image_download_size": packed.stat().st_size,
                "image_download_sha256": sha256(packed),
                "release_date": time.strftime("%Y-%m-%d", time.gmtime(seconds)),
                "init_format": FORMATS[archive.kind],
                "devices": list(MODELS[archive.kind]),
            }
        ]
    }


def write_entry(path: Path, told: dict[str, Any]) -> None:
    """Write Imager's manifest."""
    path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
