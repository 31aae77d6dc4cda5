import colorsys
from collections import OrderedDict

from graphbus_core import GraphBusNode, subscribe

NAMES = [(0.02, "red"), (0.11, "orange"), (0.19, "yellow"), (0.45, "green"), (0.55, "cyan"), (0.72, "blue"),
         (0.83, "violet"), (0.95, "pink"), (1.01, "red")]


class LRU(OrderedDict):
    def __init__(self, size, make):
        super().__init__()
        self.size, self.make = size, make

    def __missing__(self, key):
        value = self[key] = self.make(key)
        if len(self) > self.size:
            self.popitem(last=False)
        return value

    def look(self, key):
        value = self[key]
        self.move_to_end(key)
        return value


def name(pixel: int) -> str:
    r, g, b = ((pixel >> s & 0xF) / 15 for s in (8, 4, 0))
    h, s, v = colorsys.rgb_to_hsv(r, g, b)
    if v < 0.2:
        return "black"
    if s < 0.15:
        return "white" if v > 0.85 else "grey"
    return next(n for edge, n in NAMES if h < edge)


_names = LRU(3, name)


class Palette(GraphBusNode):
    def __init__(self):
        super().__init__()

    @subscribe("/Museum/Picture/Scanned")
    def palette(self, pixels: list, top: int) -> dict:
        share = {}
        for p in pixels:
            n = _names.look((p >> 20 & 0xF) << 8 | (p >> 12 & 0xF) << 4 | p >> 4 & 0xF)
            share[n] = share.get(n, 0) + 1
        ranked = sorted(share, key=lambda n: (-share[n], n))[:top]
        return {"palette": [[n, round(100 * share[n] / len(pixels))] for n in ranked]}
