"""What the author of a game tests it with (pytest): `games.GameContract`. Nothing of the program itself imports this."""

import pytest

pytest.register_assert_rewrite(
    *(f"companion.testing.{module}" for module in ("games", "driving", "catalogues", "drawings"))
)
