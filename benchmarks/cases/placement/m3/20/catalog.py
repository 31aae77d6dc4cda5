import csv
import io
from collections import ChainMap
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

from money import fmt

DEFAULTS = {"currency": "EUR", "period": "20th c.", "reserve": "0"}


class LotDescriber(GraphBusNode):
    @subscribe("/Catalogue/Page")
    def page(self, table: str) -> list[str]:
        lines = []
        for row in csv.DictReader(io.StringIO(table)):
            given = {k: v for k, v in row.items() if v}
            lot = ChainMap(given, DEFAULTS)
            lot["estimate"] = fmt(Decimal(lot["low"]) * 2, lot["currency"])
            lines.append("{title}, {period}: {estimate}".format_map(lot))
        return lines


class Premium(GraphBusNode):
    BANDS = [(Decimal(1000), Decimal("0.26")), (Decimal(10000), Decimal("0.20")), (None, Decimal("0.13"))]

    @subscribe("/Hammer/Price")
    def price(self, amount: str, currency: str) -> str:
        left, floor, total = Decimal(amount), Decimal(0), Decimal(0)
        for limit, part in self.BANDS:
            top = left if limit is None else min(left, limit)
            total += max(top - floor, Decimal(0)) * part
            floor = top
        return fmt(left + total, currency)
