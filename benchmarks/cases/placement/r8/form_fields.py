# stateful
"""Keeps the last good value of each field, in the descriptor instead of the form object."""
from typing import Any, Callable

from graphbus_core import GraphBusNode, subscribe


class Field:
    def __init__(self, convert: Callable[[str], Any], default: Any) -> None:
        self.convert = convert
        self.value = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, obj: object, owner: type | None = None) -> Any:
        return self if obj is None else self.value

    def __set__(self, obj: object, raw: str) -> None:
        self.value = self.convert(raw)


def percent(raw: str) -> float:
    number = float(raw.rstrip("% "))
    if not 0 <= number <= 100:
        raise ValueError("out of range")
    return number / 100


class LoanForm:
    amount = Field(int, 10_000)
    interest = Field(percent, 0.05)
    years = Field(int, 10)

    def yearly(self) -> float:
        growth = (1 + self.interest) ** self.years
        return round(self.amount * self.interest * growth / (growth - 1), 2)


class FormFields(GraphBusNode):
    @subscribe("/Loans/Form")
    def on_form(self, entries: dict[str, str]) -> dict[str, object]:
        form = LoanForm()
        errors = []
        for name, raw in entries.items():
            try:
                setattr(form, name, raw)
            except ValueError:
                errors.append(name)
        return {"yearly": form.yearly(), "errors": errors}
