"""Board files for tests: the one that comes along, one with neighbours, one with places, one with all of it."""

from importlib.resources import files

AS_PRINTED = files("companion.games.les_apaches").joinpath("board.toml").read_text(encoding="utf-8")

TOUCHES = {1: (2, 3, 8), 2: (5, 9), 3: (4, 8, 9), 4: (7,), 5: (6, 9), 6: (7, 9), 7: (8,)}
BRIDGES = {1: (6,), 4: (5,), 7: (2,)}
PLACES = {
    1: ("money 300", "theft", "wounded"),
    2: ("money 200", "money 200", "burglary 150", "jailed"),
    3: ("money 500", "burglary 400", "killed", "reinforcements"),
    4: ("money 400", "burglary 200", "burglary 200", "wounded", "jailed"),
    5: ("money 300", "money 250", "burglary 100", "theft", "reinforcements", "killed"),
    6: ("money 500", "burglary 300", "theft", "jailed", "wounded"),
    7: ("money 350", "burglary 250", "reinforcements", "jailed"),
}


def written(*, neighbours: bool, places: tuple[int, ...] = ()) -> str:
    """Write a board file with all neighbours or none, and the places of some districts."""
    rows = []
    for district in range(1, 10):
        rows.append(f"[district.{district}]")
        if neighbours and district in TOUCHES:
            rows.append(f"touches = {list(TOUCHES[district])}")
        if neighbours and district in BRIDGES:
            rows.append(f"bridges = {list(BRIDGES[district])}")
        if district in places:
            said = ", ".join(f'"{place}"' for place in PLACES[district])
            rows.append(f"places = [{said}]")
    return "\n".join(rows) + "\n"


WITH_NEIGHBOURS = written(neighbours=True)
WITH_PLACES = written(neighbours=False, places=tuple(PLACES))
WITH_SOME_PLACES = written(neighbours=False, places=(1, 4, 6))
WHOLE = written(neighbours=True, places=tuple(PLACES))
BOARDS = (None, "", AS_PRINTED, WITH_NEIGHBOURS, WITH_PLACES, WITH_SOME_PLACES, WHOLE)
