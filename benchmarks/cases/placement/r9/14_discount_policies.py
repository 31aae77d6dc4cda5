# pure
"""The registry of policies is filled by the class statements at import and only read later."""
from abc import ABC, abstractmethod
from decimal import Decimal
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe


class Policy(ABC):
    known: ClassVar[dict[str, "Policy"]] = {}
    key: ClassVar[str]

    def __init_subclass__(cls, *, key: str, **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        cls.key = key
        Policy.known[key] = cls()

    @abstractmethod
    def off(self, total: Decimal, pieces: int) -> Decimal: ...


class Flat(Policy, key="flat"):
    def off(self, total: Decimal, pieces: int) -> Decimal:
        return Decimal("5") if total >= 50 else Decimal(0)


class Volume(Policy, key="volume"):
    STEPS = ((200, 12), (50, 8), (20, 4))

    def off(self, total: Decimal, pieces: int) -> Decimal:
        percent = next((percent for least, percent in self.STEPS if pieces >= least), 0)
        return total * percent / 100


class Staff(Policy, key="staff"):
    def off(self, total: Decimal, pieces: int) -> Decimal:
        return min(total * 30 / 100, Decimal("75"))


class DiscountPolicies(GraphBusNode):
    @subscribe("/Cart/Discount")
    def on_discount(self, cart: str, total: str, pieces: int, policies: list[str]) -> dict[str, object]:
        amount = Decimal(total)
        offers = {
            name: Policy.known[name].off(amount, pieces)
            for name in policies
            if name in Policy.known
        }
        if not offers:
            return {"cart": cart, "pay": str(amount), "policy": None}
        best = max(sorted(offers), key=offers.__getitem__)
        return {"cart": cart, "pay": f"{amount - offers[best]:.2f}", "policy": best}
