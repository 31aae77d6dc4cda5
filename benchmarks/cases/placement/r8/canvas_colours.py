# stateful
"""Keeps the order of the palette: a colour that is used moves to the front of the shared list."""
import colorsys
import re

from graphbus_core import GraphBusNode, subscribe

HEX = re.compile(r"^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$", re.IGNORECASE)
PALETTE = ["#d62728", "#1f77b4", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b"]

Rgb = tuple[float, float, float]


def parse(code: str) -> Rgb:
    match = HEX.match(code)
    if not match:
        raise ValueError(code)
    r, g, b = (int(part, 16) / 255 for part in match.groups())
    return r, g, b


def hue_gap(a: Rgb, b: Rgb) -> float:
    delta = abs(colorsys.rgb_to_hsv(*a)[0] - colorsys.rgb_to_hsv(*b)[0])
    return min(delta, 1 - delta)


def nearest(colour: Rgb) -> str:
    best = min(PALETTE, key=lambda code: hue_gap(parse(code), colour))
    PALETTE.insert(0, PALETTE.pop(PALETTE.index(best)))
    return best


class CanvasColours(GraphBusNode):
    """Snaps a drawn colour to the palette and proposes neighbours."""

    @subscribe("/Canvas/Stroke")
    def on_stroke(self, shape: str, colour: str) -> dict[str, object]:
        try:
            snapped = nearest(parse(colour))
        except ValueError as exc:
            return {"shape": shape, "bad": str(exc)}
        return {"shape": shape, "colour": snapped, "proposals": PALETTE[1:3]}
