# pure
"""Keeps nothing: the registry is complete when the module is loaded, and its objects have no fields that change."""
import re
from typing import ClassVar, Protocol

from graphbus_core import GraphBusNode, subscribe


class Method(Protocol):
    def fee(self, cents: int) -> int: ...
    def valid(self, account: str) -> bool: ...


class Registered(type):
    table: ClassVar[dict[str, type]] = {}
    _single: ClassVar[dict[type, object]] = {}

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
        cls = super().__new__(mcs, name, bases, body)
        if "code" in body:
            mcs.table[str(body["code"])] = cls
        return cls

    def __call__(cls, *args: object, **options: object) -> object:
        if cls not in Registered._single:
            Registered._single[cls] = super().__call__(*args, **options)
        return Registered._single[cls]


class Base(metaclass=Registered):
    per_mille = 0
    flat = 0

    def fee(self, cents: int) -> int:
        return self.flat + -(-cents * self.per_mille // 1000)


class Card(Base):
    code = "card"
    per_mille = 14
    flat = 25

    def valid(self, account: str) -> bool:
        digits = [int(digit) for digit in re.sub(r"\D", "", account)][::-1]
        doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
        return 12 <= len(digits) <= 19 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


class Transfer(Base):
    code = "iban"
    flat = 9

    def valid(self, account: str) -> bool:
        text = account.replace(" ", "").upper()
        if not re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", text):
            return False
        return int("".join(str(int(sign, 36)) for sign in text[4:] + text[:4])) % 97 == 1


class Cash(Base):
    code = "cash"

    def valid(self, account: str) -> bool:
        return not account


class PaymentMethods(GraphBusNode):
    @subscribe("/Payment/Quote")
    def on_payment(self, method: str, account: str, cents: int) -> dict[str, object]:
        kind = Registered.table.get(method)
        if kind is None:
            return {"error": f"choose one of {', '.join(sorted(Registered.table))}"}
        chosen: Method = kind()
        return {"valid": chosen.valid(account), "fee": chosen.fee(cents), "same": chosen is kind()}
