"""Colours of a heat map, in pages and in pictures: blue right, orange wrong, text that is legible.

The text of a cell is white or black, whichever can be read: one of the two always has a contrast
of 4.5 : 1 or more (WCAG 2.2, https://www.w3.org/TR/WCAG22/#contrast-minimum).
"""

from __future__ import annotations

import math

RIGHT, WRONG = (0, 84, 148), (196, 78, 0)
EMPTY, ON_EMPTY = "#ececec", "#4d4d4d"
WHITE, BLACK = "#ffffff", "#000000"
CONTRAST = 4.5


def shade(share: float, right: bool) -> tuple[str, str]:
    """Return the ground of a cell, from white (0) to a dark hue (1), and the color of its text."""
    if math.isnan(share):
        return EMPTY, ON_EMPTY
    depth = 0.92 * min(max(share, 0.0), 1.0) ** 0.7  # lifts small shares: mistakes are looked for
    mixed = [round(255 + (end - 255) * depth) for end in (RIGHT if right else WRONG)]
    ground = "#" + "".join(f"{part:02x}" for part in mixed)
    return ground, WHITE if contrast(ground, WHITE) >= CONTRAST else BLACK


def contrast(one: str, two: str) -> float:
    """Return the contrast of two colors, from 1 (the same) to 21 (black on white)."""
    dark, light = sorted((_luminance(one), _luminance(two)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
