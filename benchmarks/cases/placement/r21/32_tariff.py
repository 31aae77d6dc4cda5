# stateful
"""Keeps a cached_property that was computed for the first customer class and serves all later ones."""
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe


class Tariff:
    base = 4.90
    per_kilo = 0.85

    def __init__(self) -> None:
        self.customer_class = "private"

    @cached_property
    def rebate(self) -> float:
        steps = {"private": 0.0, "shop": 0.07, "contract": 0.18}
        return steps.get(self.customer_class, 0.0)

    def price(self, kilos: float) -> float:
        gross = self.base + self.per_kilo * max(kilos - 1.0, 0.0)
        return round(gross * (1 - self.rebate), 2)


class BulkyTariff(Tariff):
    base = 16.50
    per_kilo = 1.20

    def price(self, kilos: float) -> float:
        return round(super().price(kilos) + 3.0, 2)


class Quotes(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.tariffs = {False: Tariff(), True: BulkyTariff()}

    @subscribe("/Quote/Asked")
    def on_quote(self, customer_class: str, kilos: float, bulky: bool) -> dict[str, float | str]:
        tariff = self.tariffs[bulky]
        tariff.customer_class = customer_class
        return {"tariff": type(tariff).__name__, "price": tariff.price(kilos)}
