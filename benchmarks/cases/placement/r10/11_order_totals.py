# pure
"""Keeps nothing: every order builds its own objects and a local decimal context."""
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from enum import Enum
from typing import Any

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")


class Vat(Enum):
    STANDARD = Decimal("0.19")
    REDUCED = Decimal("0.07")
    FREE = Decimal(0)


@dataclass(frozen=True, slots=True)
class Item:
    sku: str
    quantity: int
    price: Decimal
    vat: Vat

    @classmethod
    def from_event(cls, raw: dict[str, Any]) -> "Item":
        return cls(raw["sku"], int(raw["quantity"]), Decimal(raw["price"]), Vat[raw.get("vat", "standard").upper()])

    @property
    def net(self) -> Decimal:
        return self.price * self.quantity

    @property
    def tax(self) -> Decimal:
        return (self.net * self.vat.value).quantize(CENT)


class OrderTotals(GraphBusNode):
    @subscribe("/order/placed")
    def on_order(self, order: str, items: list[dict[str, Any]], discount: str = "0") -> dict[str, Any]:
        with localcontext() as context:
            context.rounding = ROUND_HALF_EVEN
            try:
                parsed = [Item.from_event(raw) for raw in items]
            except KeyError as error:
                return {"order": order, "error": f"missing or unknown {error}"}
            net = sum((item.net for item in parsed), Decimal(0))
            taxes: dict[str, Decimal] = {}
            for item in parsed:
                taxes[item.vat.name] = taxes.get(item.vat.name, Decimal(0)) + item.tax
            reduction = (net * Decimal(discount) / 100).quantize(CENT)
            gross = net - reduction + sum(taxes.values(), Decimal(0))
        return {
            "order": order,
            "net": str(net),
            "taxes": {name: str(value) for name, value in sorted(taxes.items())},
            "gross": str(gross),
        }
