"""The letters that the four languages need, small and large: each is drawn, unlike every other, and within its cell."""

from __future__ import annotations

import string
import unicodedata

import pytest

from companion.screens.oled import glyphs
from companion.screens.oled.canvas import Canvas
from companion.screens.oled.typefaces import large

ACCENTED = "ÀÂÄÇÈÉÊËÎÏÌÒÔÖÙÛÜŸàâäçèéêëîïìíòóôöùûüÿ"
OWN = "ßœæŒÆ«»„"
SIGNS = "±µ…–→×▸◂✗•✓°€⚑‖"
WRITTEN = string.ascii_letters + string.digits + "!?.,:;'\"()[]#%&*+-/<>=_@" + ACCENTED + OWN + SIGNS
ALIKE = {"small": {frozenset("x×"), frozenset("Òò"), frozenset("Ôô"), frozenset("Öö")}, "large": set()}
"""There is room for one height of an O with an accent; no word is told from another by it."""
FACES = {"small": glyphs.TYPEFACE, "large": large.TYPEFACE}


def picture(face, character):
    """What is lit, without empty columns around it: two that differ only by their room are alike to a reader."""
    columns = list(face.columns(character))
    while columns and not columns[-1]:
        columns.pop()
    return tuple(columns)


@pytest.mark.parametrize("name", FACES)
def test_every_letter_of_the_languages_is_drawn_unlike_every_other(name):
    drawn = {character: picture(FACES[name], character) for character in WRITTEN}
    unknown = picture(FACES[name], "\u4e2d")
    assert unknown == drawn["?"], "what cannot be drawn is a question mark"
    twins = {
        frozenset((one, other))
        for one in WRITTEN for other in WRITTEN
        if one != other and drawn[one] == drawn[other]
    }  # fmt: skip
    assert twins == ALIKE[name]


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("character", ACCENTED)
def test_an_accent_changes_more_than_one_pixel_of_its_letter(name, character):
    """One pixel is lost on a panel across a table."""
    plain = unicodedata.normalize("NFD", character)[0]
    one, other = (picture(FACES[name], each) for each in (character, plain))
    width = max(len(one), len(other))
    differ = sum(((one + (0,) * width)[x] ^ (other + (0,) * width)[x]).bit_count() for x in range(width))
    assert differ >= 2


@pytest.mark.parametrize("name", FACES)
def test_letters_stay_within_their_cell(name):
    face = FACES[name]
    for character in WRITTEN:
        assert all(0 <= column < 1 << face.height for column in face.columns(character)), character


def test_small_letters_are_not_stretched_ones():
    """The large letters are drawn: no two rows of pixels and no two columns are doubled throughout."""
    for character in string.ascii_uppercase:
        columns = large.TYPEFACE.columns(character)[: -large.GAP]
        rows = [tuple(column >> y & 1 for column in columns) for y in range(large.HEIGHT)]
        doubled = all(rows[y] == rows[y + 1] for y in range(0, large.HEIGHT, 2))
        assert not doubled, character


@pytest.mark.parametrize("inverse", [False, True])
def test_a_large_text_is_16_pixels_high_and_keeps_account_of_its_place(inverse):
    canvas = Canvas((128, 64))
    canvas.bar(0, 16, 128, 32) if inverse else None
    end = canvas.text(2, 16, "Über É", inverse=inverse, face=large.TYPEFACE)
    (placed,) = canvas.placed
    assert (placed.top, placed.bottom, placed.left) == (16, 32, 2)
    assert placed.right == end == 2 + large.TYPEFACE.width("Über É")
    lit = canvas.image.crop((2, 16, end, 32))
    assert lit.getbbox() is not None
    outside = canvas.image.crop((0, 0, 128, 16)), canvas.image.crop((0, 32, 128, 64))
    assert all(part.getbbox() is None for part in outside)


def test_nothing_of_a_large_text_is_lost_between_its_letters():
    """The picture of a text is the pictures of its letters, side by side."""
    whole, parts = Canvas((200, 16)), Canvas((200, 16))
    whole.text(0, 0, "GRÜN hat gewonnen", face=large.TYPEFACE)
    x = 0
    for character in "GRÜN hat gewonnen":
        parts.text(x, 0, character, face=large.TYPEFACE)
        x += len(large.TYPEFACE.columns(character))
    assert whole.image.tobytes() == parts.image.tobytes()
