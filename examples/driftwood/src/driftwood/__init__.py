"""Driftwood, a game for the table companion; its rules are in the README."""

from driftwood.game import GAME

__all__ = ["GAME"]
