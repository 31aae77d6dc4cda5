# pure
"""Each bill is an object of its own that ends with the event."""
from datetime import date, timedelta
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

RATES = {"low": Decimal("84.00"), "high": Decimal("129.00")}
HIGH_MONTHS = range(6, 10)
CITY_TAX = Decimal("2.20")


class Folio:
    entries_per_page = 20

    def __init__(self, guest: str) -> None:
        self.guest = guest
        self.entries: list[tuple[str, Decimal]] = []

    def post(self, text: str, amount: Decimal) -> "Folio":
        self.entries.append((text, amount))
        return self

    @property
    def balance(self) -> Decimal:
        return sum((amount for _, amount in self.entries), Decimal(0))


def season(day: date) -> str:
    return "high" if day.month in HIGH_MONTHS or day.weekday() >= 4 else "low"


class Cashier(GraphBusNode):
    @subscribe("/Checkout")
    def on_checkout(self, guest: str, arrive: str, nights: int, extras: list[str]) -> dict[str, object]:
        folio = Folio(guest)
        first = date.fromisoformat(arrive)
        for n in range(nights):
            day = first + timedelta(days=n)
            folio.post(f"{day:%d %b} room", RATES[season(day)]).post(f"{day:%d %b} tax", CITY_TAX)
        for extra in extras:
            text, amount = extra.split(":")
            folio.post(text, Decimal(amount))
        return {"guest": guest, "lines": [f"{t} {a:.2f}" for t, a in folio.entries], "due": f"{folio.balance:.2f}"}
