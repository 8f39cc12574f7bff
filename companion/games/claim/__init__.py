"""Claim: games of slapping and grabbing, described in a file (`docs/games/claim.md`). Knows no device and no clock."""

from companion.core.ruling.game import Game
from companion.games.claim.game import Claim
from companion.games.claim.state import State

GAME: Game[State] = Claim()
"""The entry point."""
