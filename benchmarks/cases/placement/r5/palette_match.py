# pure
"""Keeps one object per colour in a weak dictionary; a colour made again is equal to the one that is found there."""
from weakref import WeakValueDictionary

from graphbus_core import GraphBusNode, subscribe

NAMED = {
    "black": "000000", "white": "ffffff", "red": "ff0000", "lime": "00ff00", "blue": "0000ff",
    "teal": "008080", "navy": "000080", "orange": "ffa500", "grey": "808080", "maroon": "800000",
}


class Colour:
    __slots__ = ("rgb", "__weakref__")
    _pool: "WeakValueDictionary[tuple[int, int, int], Colour]" = WeakValueDictionary()
    rgb: tuple[int, int, int]

    def __new__(cls, red: int, green: int, blue: int) -> "Colour":
        key = (red, green, blue)
        colour = cls._pool.get(key)
        if colour is None:
            colour = super().__new__(cls)
            colour.rgb = key
            cls._pool[key] = colour
        return colour

    @classmethod
    def parse(cls, text: str) -> "Colour":
        text = text.lstrip("#")
        if len(text) == 3:
            text = "".join(char * 2 for char in text)
        return cls(*bytes.fromhex(text))

    @property
    def luminance(self) -> float:
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in self.rgb)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def distance(self, other: "Colour") -> int:
        return sum((a - b) ** 2 for a, b in zip(self.rgb, other.rgb))


class PaletteMatch(GraphBusNode):
    """Names a colour and says which ink can be read on it."""

    @subscribe("/Design/Colour")
    def on_colour(self, code: str) -> dict[str, str]:
        try:
            colour = Colour.parse(code)
        except (ValueError, TypeError):
            return {"code": code, "error": "not a colour"}
        name = min(NAMED, key=lambda name: (colour.distance(Colour.parse(NAMED[name])), name))
        return {"code": code, "name": name, "ink": "black" if colour.luminance > 0.179 else "white"}
