"""Drawings: seven rows of at most eight pixels for small displays, strokes in a square of 24 for pages."""

from companion.core.ruling.looks import Stroke, Symbol

SYMBOLS = {
    "plank": Symbol(
        ("......##", ".....##.", "....##..", "...##...", "..##....", ".##.....", "##......"),
        (Stroke("M3 18l15-15l3 3l-15 15z"),),
    ),
    "bottle": Symbol(
        ("...##...", "...##...", "..####..", ".######.", ".######.", ".######.", ".######."),
        (Stroke("M10 2h4v6l4 4v10h-12v-10l4-4z"),),
    ),
    "pearl": Symbol(
        ("..####..", ".#....#.", "#..##..#", "#.#....#", "#......#", ".#....#.", "..####.."),
        (Stroke("M12 4a8 8 0 1 0 .1 0z", width=2), Stroke("M9 10a3 3 0 0 1 3-3", width=2)),
    ),
    "grab": Symbol(
        (".#.#.#..", ".#.#.#.#", ".#.#.#.#", ".#######", ".######.", "..#####.", "...###.."),
        (Stroke("M6 21v-11h3v-6h3v6h3v-6h3v12l-3 5z"),),
    ),
}
