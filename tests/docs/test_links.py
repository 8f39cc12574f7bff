"""The check of the built site: what it finds, and what it leaves alone."""

from __future__ import annotations

import pytest

from docs.making.links import faults, main

PAGE = '<html><head></head><body><h1 id="top">x</h1><a href="other.html#there">y</a></body></html>'
OTHER = (
    '<h2 id="there">z</h2><a href="https://example.org/">a link for a reader</a><img src="data:image/png;base64,AA==">'
)


@pytest.fixture
def site(tmp_path):
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "other.html").write_text(OTHER)
    return tmp_path


def test_a_site_without_a_fault_has_none(site):
    assert list(faults(site)) == []
    assert main([str(site)]) == 0


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        ('<a href="gone.html">x</a>', "no such file"),
        ('<a href="other.html#nowhere">x</a>', "no such heading"),
        ('<a href="#nowhere">x</a>', "no such heading"),
        ('<img src="gone.png">', "no such file"),
        ('<script src="https://example.org/x.js"></script>', "from elsewhere"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "from elsewhere"),
        ('<link rel="preconnect" href="https://example.org">', "from elsewhere"),
        ('<img srcset="https://example.org/x.png 2x">', "from elsewhere"),
        ('<p style="background: url(https://example.org/x.png)">', "from elsewhere"),
    ],
)
def test_a_fault_of_a_page_is_found(site, broken, says, capsys):
    (site / "index.html").write_text(PAGE.replace("</body>", f"{broken}</body>"))
    (fault,) = faults(site)
    assert fault.startswith("index.html")
    assert says in fault
    assert main([str(site)]) == 1
    assert fault in capsys.readouterr().err


@pytest.mark.parametrize(
    "style", ["@import 'https://example.org/x.css';", "p { src: url( 'https://example.org/f.woff2' ) }"]
)
def test_a_style_that_loads_from_elsewhere_is_found(site, style):
    (site / "site.css").write_text(style)
    assert [fault for fault in faults(site) if "site.css loads" in fault]


def test_a_folder_without_a_page_is_no_site(tmp_path):
    assert list(faults(tmp_path))
