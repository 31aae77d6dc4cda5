# pure
"""The instance holds the order at hand while it is priced, and every event sets all of that before reading it."""
from graphbus_core import GraphBusNode, subscribe

COUPONS = {"SPRING": 10, "STAFF": 25}
FREE_FROM = 5000


class OrderPricing(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._items: list[tuple[int, int]] = []
        self._total = 0
        self._steps: list[str] = []

    def _begin(self, items: list[list[int]]) -> None:
        self._items = [(pieces, cents) for pieces, cents in items]
        self._total = 0
        self._steps = []

    def _add_items(self) -> None:
        for pieces, cents in self._items:
            self._total += pieces * cents
        self._steps.append(f"items {self._total}")

    def _coupon(self, code: str) -> None:
        percent = COUPONS.get(code.upper())
        if percent:
            off = self._total * percent // 100
            self._total -= off
            self._steps.append(f"coupon -{off}")

    def _shipping(self) -> None:
        if self._total < FREE_FROM:
            self._total += 490
            self._steps.append("shipping 490")

    @subscribe("/order/price")
    def on_price(self, order: str, items: list[list[int]], coupon: str) -> dict[str, object]:
        self._begin(items)
        self._add_items()
        self._coupon(coupon)
        self._shipping()
        return {"order": order, "total": self._total, "steps": self._steps}
