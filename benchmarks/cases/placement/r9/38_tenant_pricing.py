# stateful
"""A singleton metaclass ignores the arguments of every later call, so the first tenant's session serves all."""
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

RATES = {"EUR": Decimal("1"), "USD": Decimal("1.08"), "SEK": Decimal("11.30")}


class Shared(type):
    _made: dict[type, object] = {}

    def __call__(cls, *args, **kwargs):
        if cls not in Shared._made:
            Shared._made[cls] = super().__call__(*args, **kwargs)
        return Shared._made[cls]


class Session(metaclass=Shared):
    def __init__(self, currency: str, places: int = 2) -> None:
        self.currency = currency
        self.step = Decimal(1).scaleb(-places)

    def show(self, euros: Decimal) -> str:
        value = (euros * RATES[self.currency]).quantize(self.step)
        return f"{value} {self.currency}"


class TenantPricing(GraphBusNode):
    @subscribe("/Catalog/Price")
    def on_price(self, tenant: str, currency: str, euros: str) -> dict[str, str]:
        if currency not in RATES:
            return {"tenant": tenant, "error": "currency not traded"}
        session = Session(currency)
        return {"tenant": tenant, "price": session.show(Decimal(euros))}
