"""Exchange desk of a branch.

>>> desk = Converter()
>>> desk.exchange("USD", 1.08)
{'paid': 108.0}
>>> desk.exchange("USD", 1.1)
{'paid': 110.0}
>>> desk.average("USD")
1.09
"""
from collections import defaultdict
from types import MappingProxyType

from graphbus_core import GraphBusNode, depends_on, schema_method

BOARD = MappingProxyType({
    "USD": 1.08,
    "JPY": 0.0062,
    "GBP": 0.86,
})


class RateBoard(GraphBusNode):
    """What the treasury sends each morning."""

    @schema_method(
        input_schema={"currency": str},
        output_schema={"currency": str, "rate": float},
    )
    def quote(self, currency):
        if currency not in BOARD:
            raise LookupError(currency)
        return {"currency": currency, "rate": BOARD[currency]}


class Converter(GraphBusNode):
    amount = 100.0

    def __init__(self):
        super().__init__()
        self.used = defaultdict(list)

    @depends_on("RateBoard.quote")
    @schema_method(
        input_schema={"currency": str, "per_home": float},
        output_schema={"paid": float},
    )
    def exchange(self, currency, per_home):
        self.used[currency].append(per_home)
        return {"paid": round(self.amount * per_home, 2)}

    def average(self, currency):
        rates = self.used[currency]
        return round(sum(rates) / len(rates), 4)
