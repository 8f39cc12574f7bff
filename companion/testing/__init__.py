"""What the author of a game tests it with (pytest): `games.GameContract`. The program itself imports nothing of it."""

import pytest

MODULES = ("suite", "declared", "offering", "judging", "showing", "driving")
"""Those that assert; pytest says what was compared where one fails."""
pytest.register_assert_rewrite(*(f"companion.testing.{module}" for module in MODULES))
