# pure
"""Makes the water bill; the form is copied with all its parts before it is filled in."""
from copy import deepcopy
from datetime import date
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

FORM = {
    "head": {"from": "Municipal Waterworks", "to": "", "period": ""},
    "lines": [],
    "sums": {"net": Decimal(0), "vat": Decimal(0), "gross": Decimal(0)},
    "hints": ["Please read your meter in December."],
}
VAT = Decimal("0.07")
TARIFFS = {"home": [(40, "1.62"), (120, "1.95"), (None, "2.40")], "garden": [(None, "1.10")], "trade": [(None, "1.78")]}
SEWAGE = Decimal("2.31")
CENT = Decimal("0.01")


class Bill:
    def __init__(self, form: dict) -> None:
        self._form = deepcopy(form)

    def line(self, text: str, quantity: Decimal, price: Decimal) -> None:
        amount = (quantity * price).quantize(CENT)
        self._form["lines"].append(f"{text:<16}{quantity:>7} x {price:>5} = {amount:>9}")
        self._form["sums"]["net"] += amount

    def hint(self, text: str) -> None:
        self._form["hints"].append(text)

    def close(self, name: str, period: str) -> dict:
        self._form["head"].update(to=name, period=period)
        sums = self._form["sums"]
        sums["vat"] = (sums["net"] * VAT).quantize(CENT)
        sums["gross"] = sums["net"] + sums["vat"]
        self._form["sums"] = {k: str(v) for k, v in sums.items()}
        return self._form


def used(old: int, new: int, digits: int = 5) -> int:
    """A mechanical meter starts again at zero."""
    return new - old if new >= old else new + 10 ** digits - old


class WaterBills(GraphBusNode):
    @subscribe("/Waterworks/Reading")
    def on_reading(self, name: str, kind: str, start: str, end: str, old: int, new: int, last_year: int) -> dict[str, object]:
        bill = Bill(FORM)
        amount = left = used(old, new)
        lower = 0
        for upper, price in TARIFFS.get(kind, TARIFFS["home"]):
            part = left if upper is None else min(left, upper - lower)
            if part > 0:
                bill.line(f"water to {upper or 'end'}", Decimal(part), Decimal(price))
            left -= part
            lower = upper or lower
        if kind != "garden":
            bill.line("sewage", Decimal(amount), SEWAGE)
        days = (date.fromisoformat(end) - date.fromisoformat(start)).days
        bill.line("meter rent", Decimal(days), Decimal("0.12"))
        if last_year and amount > 1.5 * last_year:
            bill.hint("You used far more than last year. Is a pipe leaking?")
        return bill.close(name.strip().title(), f"{start} to {end}")
