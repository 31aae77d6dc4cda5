# stateful
"""Keeps the last amount on the descriptor itself, so the next payment without one reads it."""
from decimal import Decimal, InvalidOperation
from typing import Any

from graphbus_core import GraphBusNode, subscribe


class Money:
    """Field that takes text and gives Decimal."""

    def __init__(self, default: str = "0", maximum: str = "100000") -> None:
        self.value = Decimal(default)
        self.maximum = Decimal(maximum)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else self.value

    def __set__(self, instance: Any, raw: str) -> None:
        try:
            value = Decimal(raw)
        except InvalidOperation:
            raise ValueError(f"{self.name}: not a number") from None
        if not 0 <= value <= self.maximum:
            raise ValueError(f"{self.name}: out of range")
        self.value = value


class Payment:
    bill = Money()
    tip = Money(maximum="500")

    def __init__(self, bill: str, tip: str | None) -> None:
        self.bill = bill
        if tip is not None:
            self.tip = tip

    @property
    def total(self) -> Decimal:
        return self.bill + self.tip


class Terminal(GraphBusNode):
    @subscribe("/terminal/pay")
    def on_pay(self, bill: str, tip: str | None = None) -> dict[str, str]:
        try:
            payment = Payment(bill, tip)
        except ValueError as error:
            return {"error": str(error)}
        return {"total": str(payment.total), "tip": str(payment.tip)}
