"""The drawings of both sides: seven rows of pixels for small displays, paths in 24 × 24 for pages. Pure data."""

from companion.core.ruling.looks import Stroke, Symbol

SYMBOLS: dict[str, Symbol] = {
    "wickiup": Symbol(
        (
            "#.....#.",
            ".#...#..",
            "..###...",
            ".#####..",
            ".##.##..",
            "##...##.",
            "##...##.",
        ),
        (
            Stroke("M8.6 1.6L12 6.6M15.4 1.6L12 6.6", 1.7),
            Stroke("M12 5.4C17.4 8.6 20.8 14 21.8 22H15.6C15.2 18.4 14 15.4 12 13.4C10 15.4 8.8 18.4 8.4 22H2.2"
                   "C3.2 14 6.6 8.6 12 5.4Z"),
        ),
    ),
    "stockade": Symbol(
        (
            "...##...",
            "...##...",
            "...#....",
            "#.#.#.#.",
            "#######.",
            "###.###.",
            "###.###.",
        ),
        (
            Stroke("M12 1.4V9", 1.7),
            Stroke("M12 1.4H18.4L16.6 3.6L18.4 5.8H12Z"),
            Stroke("M2 22V10.6L4 8.4L6 10.6V12.4H8V10.6L10 8.4L12 10.6L14 8.4L16 10.6V12.4H18V10.6L20 8.4L22 10.6V22"
                   "H14.4V17A2.4 2.4 0 0 0 9.6 17V22Z"),
        ),
    ),
}  # fmt: skip
