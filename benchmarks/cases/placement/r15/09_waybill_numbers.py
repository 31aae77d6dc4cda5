# pure
"""Keeps nothing: the numbering begins anew for each shipment."""
from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import chain, count, islice, zip_longest

from graphbus_core import GraphBusNode, subscribe

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def check_letter(digits: str) -> str:
    weights = chain.from_iterable(zip_longest(islice(count(3, 4), 4), islice(count(7, 2), 4)))
    return ALPHABET[sum(int(digit) * weight for digit, weight in zip(digits, weights)) % len(ALPHABET)]


@dataclass
class Series:
    prefix: str
    numbers: count = field(default_factory=lambda: count(1))
    issued: OrderedDict[str, str] = field(default_factory=OrderedDict)

    def issue(self, piece: str) -> str:
        if piece in self.issued:
            self.issued.move_to_end(piece)
            return self.issued[piece]
        digits = f"{next(self.numbers):06d}"
        number = f"{self.prefix}{digits}{check_letter(digits)}"
        self.issued[piece] = number
        return number


class WaybillNumbers(GraphBusNode):
    @subscribe("/Shipment/Pieces")
    def on_pieces(self, shipment: str, origin: str, pieces: list[str]) -> dict[str, object]:
        series = Series(prefix=f"{origin.upper():X<3.3}-{shipment[-4:]}-")
        for piece in pieces:
            series.issue(piece.strip().lower())
        last = next(reversed(series.issued), "")
        return {"numbers": dict(series.issued), "last": last, "next": next(series.numbers)}
