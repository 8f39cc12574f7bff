"""The certificates of this machine's pages, be they a box's or a desk's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from companion.adapters.web.encryption.keeping import Encryption
    from companion.config.settings import WebSettings


def encryption_of(chosen: WebSettings, folder: Path) -> Encryption:
    """Give the certificates, not opened. folder: the state directory, whose authority `companion encrypt` has made."""
    from companion.adapters.web.encryption.keeping import CertificateFolder, Encryption
    from companion.adapters.web.encryption.own_names import own_names

    return Encryption(CertificateFolder(folder), lambda: own_names(chosen.names, chosen.host))
