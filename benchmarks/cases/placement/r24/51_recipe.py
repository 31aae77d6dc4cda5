# pure
"""The cookbook is parsed at import and only ever read."""
import re
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

BOOK = {
    "pancakes": (4, ["1 1/2 cup flour", "2 egg", "1 1/4 cup milk", "1/2 tsp salt"]),
    "bread": (8, ["4 cup flour", "1 1/3 cup water", "2 tsp yeast", "1 3/4 tsp salt"]),
}
LINE = re.compile(r"(?:(\d+)\s+)?(\d+(?:/\d+)?)\s+(.*)")


def parse(line):
    whole, part, what = LINE.match(line).groups()
    return Fraction(whole or 0) + Fraction(part), what


def show(q):
    whole, rest = divmod(q, 1)
    if not rest:
        return str(whole)
    return f"{whole} {rest}" if whole else str(rest)


def kitchen(q):
    """Round to what a measuring spoon can do."""
    for unit in (2, 3, 4, 8):
        if (q * unit).denominator == 1:
            return q
    return Fraction(round(q * 8), 8) or Fraction(1, 8)


COOKBOOK = {
    name: (serves, [parse(line) for line in lines])
    for name, (serves, lines) in BOOK.items()
}


class Scaler(GraphBusNode):
    @subscribe("/kitchen/order")
    def on_order(self, dish: str, guests: int) -> list[str]:
        try:
            serves, lines = COOKBOOK[dish]
        except KeyError:
            return [f"no recipe for {dish}"]
        factor = Fraction(guests, serves)
        out = []
        for quantity, what in lines:
            q = kitchen(quantity * factor)
            if what == "egg":
                q = Fraction(max(1, round(q)))
                what = "egg" if q == 1 else "eggs"
            out.append(f"{show(q)} {what}")
        return out
