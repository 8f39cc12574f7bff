"""The scene of a box that does not run: why, and what to ask it. Pure."""

from __future__ import annotations

from companion.core.shown.scene import Menu, Question, Scene


def fault_scene(title: str, why: str, ask: str) -> Scene:
    """Give a scene that says `why` over as many lines as there are; ask: the command that tells more."""
    return Scene(Question(title, (why,), Menu(f"> {ask}", ())))
