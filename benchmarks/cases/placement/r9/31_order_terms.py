# stateful
"""The descriptor stores the value on itself instead of on the order, so an order without a term gets the last one."""
from graphbus_core import GraphBusNode, subscribe


class Bounded:
    def __init__(self, low: float, high: float, default: float) -> None:
        self.low, self.high, self.value = low, high, default

    def __get__(self, owner: object, kind: type) -> float:
        return self.value

    def __set__(self, owner: object, value: float) -> None:
        if not self.low <= value <= self.high:
            raise ValueError(f"{value} outside {self.low}..{self.high}")
        self.value = value


class Terms:
    rebate = Bounded(0, 40, 0)
    days = Bounded(0, 90, 30)

    def __init__(self, **given: float) -> None:
        for name, value in given.items():
            if hasattr(type(self), name):
                setattr(self, name, value)

    def due(self, net: float) -> float:
        return round(net * (100 - self.rebate) / 100, 2)


class OrderTerms(GraphBusNode):
    @subscribe("/Order/Priced")
    def on_priced(self, order: str, net: float, terms: dict[str, float]) -> dict[str, object]:
        try:
            agreed = Terms(**terms)
        except ValueError as problem:
            return {"order": order, "error": str(problem)}
        return {"order": order, "due": agreed.due(net), "days": agreed.days}
