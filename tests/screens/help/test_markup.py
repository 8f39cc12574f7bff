"""The small Markdown of help texts: what becomes of each part, and that nothing else becomes an element."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.screens.help.markup import headings, html_of, inline


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("## What ± means", '<h2 id="what-means">What ± means</h2>'),
        ("one\ntwo\n\nthree", "<p>one two</p>\n<p>three</p>"),
        ("- one\n  more\n- two", "<ul><li>one more</li><li>two</li></ul>"),
        ("1. one\n2. two", "<ol><li>one</li><li>two</li></ol>"),
        (
            "| a | b |\n|---|---|\n| 1 | 2 |",
            '<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>'
            "<tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
        ),
        ("# Title\nand text", '<h1 id="title">Title</h1>\n<p>and text</p>'),
    ],
)
def test_a_block_is_an_element(text, html):
    assert html_of(text) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**very** `x < 1`", "<strong>very</strong> <code>x &lt; 1</code>"),
        ("[here](/help#race)", '<a href="/help#race">here</a>'),
        ("[there](https://example.org/)", "[there](https://example.org/)"),
        ("[there](//example.org/)", "there"),
        ("[bad](javascript:alert(1))", "[bad](javascript:alert(1))"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ],
)
def test_words_are_escaped_and_lead_nowhere_else(text, html):
    assert inline(text) == html


@given(st.text(alphabet='<>"&|#-*`[]() /a1.\n', max_size=60))
def test_whatever_a_text_has_it_brings_no_element_of_its_own(text):
    allowed = "h1 h2 h3 p ul ol li table thead tbody tr th td strong code a"
    html = html_of(text)
    names = {part.split(">")[0].split()[0].strip("/") for part in html.split("<")[1:]}
    assert names <= set(allowed.split())
    assert html.count('href="') == html.count('href="/') + html.count('href="#')


def test_the_headings_of_a_text_are_given_with_their_levels():
    assert headings("# A\ntext\n## B\n\n### C") == ((1, "A", "a"), (2, "B", "b"), (3, "C", "c"))


def test_a_heading_may_name_its_anchor_which_is_not_shown():
    assert headings("## Punizione! {#punishment}") == ((2, "Punizione!", "punishment"),)
    assert html_of("## Punizione! {#punishment}") == '<h2 id="punishment">Punizione!</h2>'
    assert html_of('## A {#"><b>}') == '<h2 id="a-b">A {#&quot;&gt;&lt;b&gt;}</h2>'
