"""Encrypted pages in a browser: it warns without trust, and with it the panel presses over wss in a secure context."""

from __future__ import annotations

import hashlib
import ssl
from base64 import b64encode
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from companion.adapters.web.encryption.keeping import CertificateFolder
from companion.adapters.web.encryption.own_names import own_names
from tests.browser.browser_pages import faults
from tests.browser.conftest import CHROMIUM
from tests.browser.desk import begin_match, open_desk, open_page, open_panel, press, wait_state

if TYPE_CHECKING:
    from pathlib import Path

TLS = "[web]\ntls = true\nhelp_port = 0\n"


@pytest.fixture
def files(tmp_path: Path) -> CertificateFolder:
    """The certificates of the first box that a test starts."""
    (tmp_path / "box 0").mkdir()
    files = CertificateFolder(tmp_path / "box 0")
    files.begin(own_names())
    return files


def key_of(files: CertificateFolder) -> str:
    """What Chromium is told to trust: the hash of the server's public key."""
    made = x509.load_pem_x509_certificate(files.server.read_bytes())
    key = made.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return b64encode(hashlib.sha256(key).digest()).decode()


def test_a_browser_that_does_not_trust_the_box_shows_no_page_of_it(new_box, new_context, files):
    box = new_box("--simulate", config=TLS)
    page = new_context().new_page()
    with pytest.raises(Exception, match="ERR_CERT_AUTHORITY_INVALID"):
        page.goto(box.url)


def test_desk_and_panel_work_over_encrypted_connections_in_a_secure_context(new_box, browser, files):
    box = new_box("--simulate", config=TLS)
    assert box.url.startswith("https://")
    arguments = ["--headless", "--no-sandbox", f"--ignore-certificate-errors-spki-list={key_of(files)}"]
    trusting = browser.browser_type.launch(executable_path=CHROMIUM, args=arguments)
    context = trusting.new_context()
    desk = open_desk(context, box)
    assert desk.evaluate("window.isSecureContext")
    (cookie,) = context.cookies()
    assert (cookie["secure"], cookie["httpOnly"]) == (True, True)
    begin_match(desk, "red", "yellow")
    panel = open_panel(trusting.new_context(), box.url)
    press(panel, "red hunter")
    wait_state(desk, "state.race && state.race.rows.length === 1")
    assert (desk.problems, panel.problems) == ([], [])
    trusting.close()


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
def test_the_page_of_trust_can_be_read_by_everybody_before_anything_is_trusted(new_box, new_context, files, size):
    box = new_box("--simulate", config=TLS)
    url = box.says("to trust it: ")
    page = open_page(new_context(viewport={"width": size[0], "height": size[1]}), url)
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    with page.expect_download() as download:
        page.click("text=Download the certificate")
    der = download.value.path().read_bytes()
    assert hashlib.sha256(der).digest().hex(" ").upper() in " ".join(page.inner_text("pre").split())
    assert ssl.DER_cert_to_PEM_cert(der).encode() == files.look().authority
