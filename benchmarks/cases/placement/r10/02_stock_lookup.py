# stateful
"""Keeps the notes of all earlier failures on one exception object raised again and again."""
from typing import Any, NoReturn

from graphbus_core import GraphBusNode, subscribe

WAREHOUSES = {
    "north": {"A-100": 4, "A-200": 0, "B-310": 17},
    "south": {"A-100": 1, "C-999": 250},
}


class StockError(Exception):
    code = "STOCK"

    def as_dict(self) -> dict[str, Any]:
        return {"code": self.code, "message": str(self), "details": list(getattr(self, "__notes__", ()))}


class OutOfStock(StockError):
    code = "OUT_OF_STOCK"


UNKNOWN = StockError("article or warehouse unknown")


def unknown(what: str, value: str) -> NoReturn:
    UNKNOWN.add_note(f"{what}={value}")
    raise UNKNOWN


def pick(warehouse: str, sku: str, quantity: int) -> int:
    shelf = WAREHOUSES.get(warehouse) or unknown("warehouse", warehouse)
    if sku not in shelf:
        unknown("sku", sku)
    if shelf[sku] < quantity:
        problem = OutOfStock(f"only {shelf[sku]} of {sku}")
        problem.add_note(f"wanted={quantity}")
        raise problem
    return shelf[sku] - quantity


class StockLookup(GraphBusNode):
    @subscribe("/stock/check")
    def on_check(self, warehouse: str, sku: str, quantity: int = 1) -> dict[str, Any]:
        try:
            left = pick(warehouse, sku, quantity)
        except StockError as error:
            return {"ok": False, "error": error.as_dict()}
        return {"ok": True, "left": left}
