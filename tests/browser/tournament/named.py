"""Who and what is in the event, by name and number: nothing that needs a browser."""

from __future__ import annotations

from tests.browser.tournament.box_child import Script

EVENT, NAME = "spring-cup", "Spring Cup"
ROUNDS, MINUTES = 5, 30
BOXES = tuple(f"box-{number}" for number in range(1, 7))
SPARE = "box-7"
DOUBTED, LOST, WRONG, UNUSED = "box-2", "box-4", "box-5", "box-1"
"""Where somebody protests in round 2, which fails in round 3, where somebody protests in round 4, and the one on which
nobody plays in round 5."""
LATE, LEAVES, WALKS_BADLY, ME = 23, 7, 5, 12
"""Players by number; `WALKS_BADLY` always sits at table 1, and `ME` is whose phone it is."""
APART = (1, 2)
SCRIPT = Script(
    event=EVENT, seed="spring", players=23, protests=((DOUBTED, 2), (WRONG, 4)), fails=((LOST, 3),),
    absent=((UNUSED, 5),), replaces=((SPARE, 3),), waits=(1,),
)  # fmt: skip
NAMES = (
    "Ann Amsler", "Ben Brunner", "Chloé Challande", "Dario De Luca", "Eva Egger", "Flurin Fontana", "Gina Gerber",
    "Hugo Huber", "Iris Imhof", "Jan Jenni", "Kim Keller", "Lea Lüthi", "Max Meier", "Nora Näf", "Otto Oberli",
    "Pia Pfister", "Quirin Quadri", "Rosa Rossi", "Silvan Šuša", "Tim Tobler", "Ursina Ulrich", "Vera Vögeli",
    "Wanda Wyss",
)  # fmt: skip
CLUBS = ("Bern", "Chur", "Genève", "")


def name_of(player: int) -> str:
    return NAMES[player - 1]


def players_csv() -> bytes:
    """Give the entries as a spreadsheet saves them."""
    rows = [
        f"{name};{CLUBS[number % len(CLUBS)]};{1 if number == WALKS_BADLY else ''}"
        for number, name in enumerate(NAMES, start=1)
    ]
    return b"\xef\xbb\xbf" + "\r\n".join(["name;club;fixed", *rows, ""]).encode()
