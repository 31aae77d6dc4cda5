# pure
"""Parses one expense sheet in memory under a local decimal context that is put back afterwards; keeps nothing."""
import csv
import io
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")
RATES = {"EUR": Decimal("1"), "USD": Decimal("0.9173"), "CHF": Decimal("1.0411"), "SEK": Decimal("0.0872")}


def _amount(text: str) -> Decimal | None:
    try:
        return Decimal(text.replace(",", ".").strip())
    except InvalidOperation:
        return None


def _rows(sheet: str):
    reader = csv.DictReader(io.StringIO(sheet), delimiter=";", skipinitialspace=True)
    for number, row in enumerate(reader, start=2):
        yield number, {k.strip().lower(): (v or "").strip() for k, v in row.items() if k}


class ExpenseSheet(GraphBusNode):
    @subscribe("/Expenses/Uploaded")
    def on_upload(self, employee: str, sheet: str) -> dict:
        sums: dict[str, Decimal] = defaultdict(Decimal)
        rejected: list[int] = []
        with localcontext() as context:
            context.prec = 12
            context.rounding = ROUND_HALF_UP
            for number, row in _rows(sheet):
                amount = _amount(row.get("amount", ""))
                rate = RATES.get(row.get("currency", "EUR").upper())
                if amount is None or rate is None or amount <= 0:
                    rejected.append(number)
                    continue
                sums[row.get("category") or "other"] += amount * rate
            totals = {name: str(value.quantize(CENT)) for name, value in sorted(sums.items())}
            grand = sum(sums.values(), Decimal("0")).quantize(CENT)
        return {"employee": employee, "totals": totals, "grand": str(grand), "rejected": rejected}
