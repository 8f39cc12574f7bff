"""The templates of the pages: which messages there are in them, and how they are said."""

from __future__ import annotations

import pytest

from companion.core.words.templates import in_words, messages


def found(template: str) -> list[str]:
    return [message.says for message in messages(template)]


@pytest.mark.parametrize(("template", "says"), [
    ("<p>One\nsentence.</p>", ["One sentence."]),
    ("<h1>A</h1>\n<p>B</p>", ["A", "B"]),
    ("<p>Press <b>View</b>, then <a href=\"/x\">go</a>.</p>", ['Press <b>View</b>, then <a href="/x">go</a>.']),
    ('<p><a href="/">Home</a> <a href="/b">Back</a></p>', ["Home", "Back"]),
    ('<section aria-label="The board" id="Board"></section>', ["The board"]),
    ("<p>$count ± 12</p><ul>$links</ul>", []),
    ('<title>$title · companion</title>', []),
    ('<a href="/"><span translate="no">companion</span></a><i>Yes</i>', ["Yes"]),
    ("<!-- nothing said --><p>A</p>", ["A"]),
    ("<a><span></span>One</a>", ["One"]),
])  # fmt: skip
def test_the_messages_of_a_template(template: str, says: list[str]) -> None:
    assert found(template) == says


@pytest.mark.parametrize("template", [
    "<p>\n One\n sentence.\n</p>", '<p><a href="/">Home</a> <a>x</a></p>', "<img alt='a' aria-label=\"b\">",
])  # fmt: skip
def test_a_template_that_is_said_as_it_is_stays_what_it_is(template: str) -> None:
    assert in_words(template, str).split() == template.split()


def test_what_is_said_stands_where_the_message_stood() -> None:
    words = {"One sentence.": "Ein Satz.", "The <b>board</b>": "Das <b>Brett</b>", 'A "b"': "Ein „b“ & c"}
    template = '<main>\n<p>One\nsentence.</p>\n<p title="A &quot;b&quot;">The <b>board</b></p></main>'
    assert in_words(template, words.__getitem__) == (
        '<main>\n<p>Ein Satz.</p>\n<p title="Ein „b“ &amp; c">Das <b>Brett</b></p></main>'
    )
