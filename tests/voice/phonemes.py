"""What espeak-ng says of a text in a language, as IPA."""

from __future__ import annotations

import re
import subprocess
from functools import cache

LANGUAGES = ("en", "it", "fr", "de")
_NOT_A_SOUND = re.compile(r"\([a-z-]+\)|[ˈˌː\s‿|_-]")
"""Stress, length, pauses, and where the voice takes another language's rules for a word."""


@cache
def phonemes(text: str, language: str) -> str:
    """Give what espeak-ng says of a text, without stress, length or pauses."""
    done = subprocess.run(
        ["espeak-ng", "-q", "--ipa", "-v", language, "--stdin"], input=text.encode(), capture_output=True, check=True
    )
    return _NOT_A_SOUND.sub("", done.stdout.decode())
