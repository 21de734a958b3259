"""Pictures as SVG: a frame with axes, and lines, bands and marks in it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from confmat.report.document import Attribute, Element, Node, tag
from confmat.report.numbers import number

LEFT, RIGHT, TOP, BOTTOM = 44, 14, 12, 40
Point = tuple[float, float]


class Frame:
    """A picture with two linear axes; the units of its sizes are pixels where there is room."""

    def __init__(
        self,
        x: tuple[float, float] = (0.0, 1.0),
        y: tuple[float, float] = (0.0, 1.0),
        *,
        width: int = 360,
        height: int = 320,
        x_title: str = "",
        y_title: str = "",
    ) -> None:
        self.x, self.y = _apart(x), _apart(y)
        self.width, self.height = width, height
        self.x_title, self.y_title = x_title, y_title
        self._in: list[Node] = []

    def at(self, x: float, y: float) -> Point:
        """Return where a point of the data lies."""
        (x0, x1), (y0, y1) = self.x, self.y
        across = LEFT + (x - x0) / (x1 - x0) * (self.width - LEFT - RIGHT)
        down = self.height - BOTTOM - (y - y0) / (y1 - y0) * (self.height - TOP - BOTTOM)
        return across, down

    def line(self, points: Iterable[Point | None], class_: str, step: bool = False) -> None:
        """Draw a line through points; it breaks where there is none."""
        self._in.append(tag("path", d=self.way(points, step), class_=f"line {class_}"))

    def band(self, low: Sequence[Point], high: Sequence[Point], class_: str) -> None:
        """Fill what lies between two lines."""
        if low and high:
            way = self.way([*low, *reversed(high)])
            self._in.append(tag("path", d=f"{way}Z", class_=f"band {class_}"))

    def dot(self, x: float, y: float, class_: str, radius: float = 4) -> None:
        """Draw a point."""
        cx, cy = self.at(x, y)
        self._in.append(tag("circle", cx=_px(cx), cy=_px(cy), r=radius, class_=f"dot {class_}"))

    def rule(self, one: Point, other: Point, class_: str) -> None:
        """Draw a straight line between two points."""
        (x1, y1), (x2, y2) = self.at(*one), self.at(*other)
        ends = {"x1": _px(x1), "y1": _px(y1), "x2": _px(x2), "y2": _px(y2)}
        self._in.append(tag("line", class_=f"line {class_}", **ends))

    def bar(self, x0: float, x1: float, y: float, class_: str) -> None:
        """Draw a bar that stands on the lower end of the axis."""
        left, top = self.at(x0, y)
        right, bottom = self.at(x1, self.y[0])
        sizes = {"width": _px(max(right - left - 1, 0.5)), "height": _px(max(bottom - top, 0))}
        self._in.append(tag("rect", x=_px(left), y=_px(top), class_=class_, **sizes))

    def squares(self, corners: Iterable[Point], side: float, class_: str) -> None:
        """Fill squares of the data, given their lower corners; those without a side are small."""
        (left, low), (right, high) = self.at(0, 0), self.at(side, side)
        wide, tall = (max(right - left, 1.2), max(low - high, 1.2)) if side else (3.0, 3.0)
        way = []
        for x, y in corners:
            left, low = self.at(x, y)
            if not side:
                left, low = left - wide / 2, low + tall / 2
            way.append(f"M{_px(left)} {_px(low)}h{_px(wide)}v{_px(-tall)}h{_px(-wide)}z")
        self._in.append(tag("path", d="".join(way), class_=class_))

    def way(self, points: Iterable[Point | None], step: bool = False) -> str:
        """Return the path through points."""
        out: list[str] = []
        verb, before = "M", None
        for point in points:
            if point is None:
                verb = "M"
                continue
            x, y = self.at(*point)
            if step and verb == "L" and before is not None:
                out.append(f"L{_px(x)} {_px(before)}")
            out.append(f"{verb}{_px(x)} {_px(y)}")
            verb, before = "L", y
        return "".join(out)

    def svg(self, ident: str, label: str, *more: Node, class_: str = "chart") -> Element:
        """Return the picture; `label` says in words what it shows."""
        x0, y0 = self.at(self.x[0], self.y[0])
        x1, y1 = self.at(self.x[1], self.y[1])
        plot = ",".join(map(_px, (x0, x1, y0, y1)))
        domain = ",".join(f"{end:.12g}" for end in (*self.x, *self.y))
        return tag(
            "svg",
            tag("title", label),
            self._grid(),
            self._in,
            more,
            viewBox=f"0 0 {self.width} {self.height}",
            role="img",
            class_=class_,
            id=ident,
            data_plot=plot,
            data_domain=domain,
        )

    def _grid(self) -> list[Node]:
        out: list[Node] = []
        low = self.height - BOTTOM
        for tick in ticks(*self.x):
            x, _ = self.at(tick, self.y[0])
            out.append(tag("line", x1=_px(x), x2=_px(x), y1=TOP, y2=low, class_="grid"))
            out.append(tag("text", short(tick), x=_px(x), y=low + 15, class_="tick middle"))
        for tick in ticks(*self.y):
            _, y = self.at(self.x[0], tick)
            line: dict[str, Attribute] = {
                "x1": LEFT,
                "x2": self.width - RIGHT,
                "y1": _px(y),
                "y2": _px(y),
            }
            out.append(tag("line", class_="grid", **line))
            out.append(tag("text", short(tick), x=LEFT - 7, y=_px(y + 3.5), class_="tick end"))
        middle = (LEFT + self.width - RIGHT) / 2
        if self.x_title:
            out.append(
                tag("text", self.x_title, x=_px(middle), y=self.height - 7, class_="axis middle")
            )
        if self.y_title:
            up = (TOP + low) / 2
            turn = f"rotate(-90 12 {_px(up)})"
            out.append(
                tag("text", self.y_title, x=12, y=_px(up), transform=turn, class_="axis middle")
            )
        return out


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Return round numbers from `low` to `high`, about `most` of them.

    Examples
    --------
    >>> ticks(0, 1), ticks(0.62, 0.89)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.65, 0.7, 0.75, 0.8, 0.85])
    """
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * 0.75)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(at * step, 12) + 0.0 for at in range(first, last + 1)]


def short(value: float) -> str:
    """Return the number of a tick.

    Examples
    --------
    >>> short(0.25), short(20000.0)
    ('0.25', '20,000')
    """
    if abs(value) >= 1000:
        return number(round(value))
    return f"{value:.6g}".replace("-", "−")  # noqa: RUF001


def spread(values: Iterable[float | None], pad: float = 0.05) -> tuple[float, float]:
    """Return the ends of an axis on which all values lie, with some room."""
    there = [v for v in values if v is not None and math.isfinite(v)]
    if not there:
        return 0.0, 1.0
    low, high = min(there), max(there)
    room = (high - low) * pad or abs(high) * 0.05 or 0.05
    return low - room, high + room


def _apart(ends: tuple[float, float]) -> tuple[float, float]:
    low, high = ends
    return ends if high > low else (low - 0.5, low + 0.5)


def _px(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
