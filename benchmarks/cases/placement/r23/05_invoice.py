# pure
"""The running total belongs to a closure that is made anew for each invoice."""
from graphbus_core import GraphBusNode, subscribe

TARIFF = {"consultation": 2362, "x-ray": 4580, "blood count": 3120, "anaesthesia": 6415}


def new_bill(factor):
    total = 0
    lines = []

    def charge(item, count=1):
        nonlocal total
        amount = round(TARIFF.get(item, 1500) * factor) * count
        total += amount
        lines.append((item, amount))
        return amount

    def close(vat):
        tax = total * vat // 100
        return {
            "lines": [f"{item:<14}{amount / 100:>9.2f}" for item, amount in lines],
            "tax": tax,
            "total": total + tax,
        }

    return charge, close


def factor_for(hour, weekday):
    if hour < 7 or hour >= 20:
        return 2.0
    return 1.5 if weekday >= 5 else 1.0


class Invoices(GraphBusNode):
    vat = 19

    @subscribe("/Treatment/Finished")
    def on_finished(self, items: dict[str, int], hour: int, weekday: int) -> dict:
        charge, close = new_bill(factor_for(hour, weekday))
        for item in sorted(items):
            charge(item, items[item])
        if weekday == 6:
            charge("emergency fee")
        return close(self.vat)
