# pure
"""Keeps nothing that matters: the lru_cache only spares parsing the same text again, and what it returns cannot be changed."""
import re
from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

POSITION = re.compile(r"^\s*(?:(\d+)\s*[x*]\s*)?([A-Z]{2}-\d{3})(?:\s*@\s*(\d+(?:\.\d{1,2})?))?\s*$")
LIST_PRICES = {"BR-100": "12.90", "BR-220": "48.00", "FI-015": "3.35", "KE-700": "119.99"}
STEPS = ((50, Decimal("0.15")), (10, Decimal("0.08")), (5, Decimal("0.03")))


class Position(NamedTuple):
    part: str
    pieces: int
    price: Decimal


@lru_cache(maxsize=256)
def parse(text: str) -> tuple[Position, ...]:
    found = []
    for chunk in filter(str.strip, text.split(",")):
        match = POSITION.match(chunk)
        if match is None:
            raise ValueError(f"cannot read {chunk.strip()!r}")
        pieces, part, price = match.groups()
        if part not in LIST_PRICES and price is None:
            raise ValueError(f"no price for {part}")
        found.append(Position(part, int(pieces or 1), Decimal(price or LIST_PRICES[part])))
    return tuple(found)


class Offer:
    def __init__(self) -> None:
        self._pieces: Counter[str] = Counter()
        self._sums: defaultdict[str, Decimal] = defaultdict(Decimal)

    def add(self, position: Position) -> None:
        self._pieces[position.part] += position.pieces
        self._sums[position.part] += position.pieces * position.price

    def lines(self) -> list[dict[str, str]]:
        result = []
        for part, pieces in sorted(self._pieces.items()):
            rebate = next((rate for least, rate in STEPS if pieces >= least), Decimal(0))
            net = (self._sums[part] * (1 - rebate)).quantize(Decimal("0.01"), ROUND_HALF_UP)
            result.append({"part": part, "pieces": str(pieces), "net": str(net)})
        return result


class SpareParts(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._currency = "EUR"

    @subscribe("/Parts/Inquiry")
    def on_inquiry(self, customer: str, text: str) -> dict[str, object]:
        try:
            positions = parse(text)
        except ValueError as error:
            return {"customer": customer, "error": str(error)}
        offer = Offer()
        for position in positions:
            offer.add(position)
        lines = offer.lines()
        total = sum((Decimal(line["net"]) for line in lines), Decimal(0))
        return {"customer": customer, "lines": lines, "total": f"{total} {self._currency}"}
