"""A drawing in millimetres, written as SVG. Knows shapes and pens, not what is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
INK = "#000000"
GREY = "#666666"


def number(value: float) -> str:
    """Write a length with at most three decimals and no trailing zeros: the same on every machine."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if round(value, 3) else "0"


def attributes(pairs: dict[str, str | float | None]) -> str:
    """Write attributes; an underscore stands for a hyphen, None leaves one out."""
    written = {
        key.rstrip("_").replace("_", "-"): number(value) if isinstance(value, (int, float)) else value
        for key, value in pairs.items()
        if value is not None
    }
    return "".join(f" {key}={quoteattr(value)}" for key, value in written.items())


@dataclass
class Drawing:
    """A sheet of `width` × `height` mm; y grows downwards. `left` and `top` are the coordinates of its corner."""

    width: float
    height: float
    title: str
    left: float = 0.0
    top: float = 0.0
    parts: list[str] = field(default_factory=list)

    def add(self, tag: str, text: str | None = None, /, **pairs: str | float | None) -> None:
        """Add an element; text is escaped."""
        end = "/>" if text is None else f">{escape(text)}</{tag}>"
        self.parts.append(f"<{tag}{attributes(pairs)}{end}")

    def line(self, x1: float, y1: float, x2: float, y2: float, pen: float = 0.35, **more: str | float | None) -> None:
        """Draw a straight line."""
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, **{"stroke": INK, "stroke_width": pen, **more})

    def rect(self, x: float, y: float, w: float, h: float, pen: float = 0.35, **more: str | float | None) -> None:
        """Draw a rectangle from its upper left corner."""
        self.add("rect", x=x, y=y, width=w, height=h, **{"fill": "none", "stroke": INK, "stroke_width": pen, **more})

    def circle(self, x: float, y: float, r: float, pen: float = 0.35, **more: str | float | None) -> None:
        """Draw a circle about its centre."""
        self.add("circle", cx=x, cy=y, r=r, **{"fill": "none", "stroke": INK, "stroke_width": pen, **more})

    def dot(self, x: float, y: float, r: float = 0.7) -> None:
        """Draw a filled dot: a place where wires are joined."""
        self.circle(x, y, r, pen=0, fill=INK, stroke="none")

    def path(self, d: str, pen: float = 0.35, **more: str | float | None) -> None:
        """Draw a path."""
        self.add("path", d=d, **{"fill": "none", "stroke": INK, "stroke_width": pen, **more})

    def chain(self, *points: tuple[float, float], pen: float = 0.35, **more: str | float | None) -> None:
        """Draw straight lines from point to point."""
        self.path("M" + " L".join(f"{number(x)} {number(y)}" for x, y in points), pen, **more)

    def text(self, x: float, y: float, words: str, size: float = 3.0, **more: str | float | None) -> None:
        """Write text with its baseline at y; `size` is the height of the font in mm."""
        self.add("text", words, x=x, y=y, font_size=size, **{"fill": INK, **more})

    def block(self, x: float, y: float, lines: list[str], size: float = 3.0, step: float = 1.4) -> None:
        """Write lines of text below each other."""
        for index, words in enumerate(lines):
            self.text(x, y + index * size * step, words, size)

    def push(self, transform: str, **more: str | float | None) -> None:
        """Begin a group that is moved, turned or scaled."""
        self.parts.append(f"<g{attributes({'transform': transform, **more})}>")

    def pop(self) -> None:
        """End the group."""
        self.parts.append("</g>")

    def svg(self) -> str:
        """Give the file's text. A drawing at scale stays at scale: its size is stated in mm."""
        box = " ".join(number(value) for value in (self.left, self.top, self.width, self.height))
        size = {"width": f"{number(self.width)}mm", "height": f"{number(self.height)}mm"}
        head = attributes({"xmlns": "http://www.w3.org/2000/svg", **size, "viewBox": box, "font_family": FONT})
        paper = attributes(
            {"x": self.left, "y": self.top, "width": self.width, "height": self.height, "fill": "#ffffff"}
        )
        body = "\n".join([f"<title>{escape(self.title)}</title>", f"<rect{paper}/>", *self.parts])
        return f"<svg{head}>\n{body}\n</svg>\n"
