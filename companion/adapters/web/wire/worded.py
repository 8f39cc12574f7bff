"""What is sent to browsers of several languages: written once for each of these, when the first one takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.words.encoding import encoder

if TYPE_CHECKING:
    from companion.core.words.language import Language


class Worded:
    """A value with texts in it. before, after: bytes around its JSON, for a document within a message."""

    __slots__ = ("_after", "_before", "_content", "_written")

    def __init__(self, content: Any, before: bytes = b"", after: bytes = b"") -> None:
        self._content, self._before, self._after = content, before, after
        self._written: dict[str, bytes] = {}

    def within(self, before: bytes, after: bytes) -> Worded:
        """Give the same with bytes around it."""
        return Worded(self._content, before, after)

    def said(self, language: Language) -> bytes:
        """Give it in a language, the same bytes to everybody who speaks it."""
        written = self._written.get(language.code)
        if written is None:
            written = self._before + encoder(language)(self._content) + self._after
            self._written[language.code] = written
        return written

    def forget(self) -> None:
        """Keep nothing of what was written: it is no longer the newest, and few will ask for it."""
        self._written.clear()
