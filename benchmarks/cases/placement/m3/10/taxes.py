from decimal import ROUND_UP, Decimal
from enum import Flag, auto

from graphbus_core import GraphBusNode, subscribe


class Guest(Flag):
    ADULT = auto()
    LOCAL = auto()
    BUSINESS = auto()


EXEMPT = Guest.LOCAL | Guest.BUSINESS
PER_NIGHT = {1: "0.80", 2: "1.10", 3: "1.65", 4: "2.40", 5: "3.00"}


class CityTax(GraphBusNode):
    @subscribe("/Stay/Tax")
    def tax(self, stars: int, nights: int, guests: list[str]) -> str:
        paying = 0
        for words in guests:
            kind = Guest(0)
            for word in words.split("+"):
                kind |= Guest[word.upper()]
            if Guest.ADULT in kind and not kind & EXEMPT:
                paying += 1
        amount = Decimal(PER_NIGHT[stars]) * min(nights, 7) * paying
        return str(amount.quantize(Decimal("0.1"), ROUND_UP))
