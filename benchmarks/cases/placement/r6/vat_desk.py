# stateful
"""The calculator is built lazily from the event that comes first, and its country holds for all that follow."""
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe

RATES = {
    "DE": {"standard": 19, "reduced": 7},
    "FR": {"standard": 20, "reduced": 5.5},
    "DK": {"standard": 25, "reduced": 25},
}


class Calculator:
    def __init__(self, country: str) -> None:
        self.country = country
        self._rates = RATES.get(country, RATES["DE"])

    def vat(self, cents: int, kind: str) -> int:
        return round(cents * self._rates.get(kind, self._rates["standard"]) / 100)


class Request:
    def __init__(self, country: str) -> None:
        self.country = country.upper()


class VatDesk(GraphBusNode):
    request: Request

    def __init__(self) -> None:
        super().__init__()

    @cached_property
    def calculator(self) -> Calculator:
        return Calculator(self.request.country)

    @subscribe("/sale")
    def on_sale(self, country: str, kind: str, net_cents: int) -> dict[str, object]:
        self.request = Request(country)
        vat = self.calculator.vat(net_cents, kind)
        return {"net": net_cents, "vat": vat, "gross": net_cents + vat}
