from __future__ import annotations

from abc import ABC, abstractmethod
from decimal import ROUND_HALF_UP, Decimal

from graphbus_core import GraphBusNode, subscribe


class Factor(ABC):
    chain: list[type["Factor"]] = []

    def __init_subclass__(cls, **kw) -> None:
        super().__init_subclass__(**kw)
        Factor.chain.append(cls)

    def __init__(self, premium: Decimal) -> None:
        self.premium = premium

    @abstractmethod
    def apply(self, person: dict) -> Decimal: ...


class NoClaims(Factor):
    def apply(self, person):
        return self.premium * Decimal("0.95") ** min(person.get("years", 0), 10)


class Region(Factor):
    def apply(self, person):
        return self.premium * {"city": Decimal("1.3"), "coast": Decimal("1.1")}.get(person.get("region"), 1)


class Tax(Factor):
    def apply(self, person):
        return self.premium * Decimal("1.19")


class Premium(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Policy/Premium/Asked")
    def quote(self, base: str, person: dict) -> dict[str, object]:
        premium, steps = Decimal(base), []
        for factor in Factor.chain:
            premium = factor(premium).apply(person).quantize(Decimal("0.0001"), ROUND_HALF_UP)
            steps.append([factor.__name__, str(premium)])
        return {"premium": str(premium.quantize(Decimal("0.01"), ROUND_HALF_UP)), "steps": steps}
