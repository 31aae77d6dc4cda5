import decimal
from collections import defaultdict
from decimal import Decimal
from itertools import accumulate

from graphbus_core import GraphBusNode, subscribe


class StatementBuilder(GraphBusNode):
    """Totals per booking code and a running balance, in bank rounding."""

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Bank/Statement/Asked")
    def build(self, opening: str, lines: list) -> dict:
        with decimal.localcontext(decimal.Context(prec=28, rounding=decimal.ROUND_HALF_EVEN)):
            cent = Decimal("0.01")
            sums: dict[str, Decimal] = defaultdict(Decimal)
            amounts = []
            for code, text in lines:
                value = Decimal(text).quantize(cent)
                sums[code] += value
                amounts.append(value)
            balance = list(accumulate(amounts, initial=Decimal(opening).quantize(cent)))
            return {"codes": {c: str(sums[c]) for c in sorted(sums)}, "balance": [str(b) for b in balance]}
