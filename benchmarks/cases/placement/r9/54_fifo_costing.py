# pure
"""Values the movements of one event with a local queue of layers."""
from collections import deque
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe


class Layers:
    """Purchase layers, oldest first."""

    def __init__(self) -> None:
        self._layers: deque[tuple[int, Decimal]] = deque()
        self.cost = Decimal(0)
        self.short = 0

    def buy(self, quantity: int, price: Decimal) -> None:
        self._layers.append((quantity, price))

    def sell(self, quantity: int) -> None:
        while quantity and self._layers:
            left, price = self._layers.popleft()
            used = min(left, quantity)
            self.cost += used * price
            quantity -= used
            if left > used:
                self._layers.appendleft((left - used, price))
        self.short += quantity

    @property
    def stock(self) -> int:
        return sum(quantity for quantity, _ in self._layers)

    @property
    def value(self) -> Decimal:
        return sum((quantity * price for quantity, price in self._layers), Decimal(0))


def replay(moves: list[str]) -> Layers:
    layers = Layers()
    for move in moves:
        kind, quantity, *price = move.split()
        if kind == "in":
            layers.buy(int(quantity), Decimal(price[0]))
        elif kind == "out":
            layers.sell(int(quantity))
    return layers


class FifoCosting(GraphBusNode):
    @subscribe("/Stock/Period")
    def on_period(self, sku: str, moves: list[str]) -> dict[str, object]:
        layers = replay(moves)
        return {
            "sku": sku,
            "stock": layers.stock,
            "value": str(layers.value),
            "cost_of_sales": str(layers.cost),
            "short": layers.short,
        }
