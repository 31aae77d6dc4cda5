# pure
"""Keeps nothing: the descriptors hold bounds only, the values lie in each passport's own dictionary."""
from collections.abc import Callable
from datetime import date
from typing import Any

from graphbus_core import GraphBusNode, subscribe


class Checked:
    """A field that is converted and tested when it is set, and noted as wrong if it fails."""

    def __init__(self, convert: Callable[[str], Any], test: Callable[[Any], bool] = lambda value: True) -> None:
        self.convert, self.test = convert, test
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        owner.__dict__["FIELDS"].append(name)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        return instance.__dict__.get(self.name)

    def __set__(self, instance: Any, value: str) -> None:
        try:
            converted = self.convert(value)
            if not self.test(converted):
                raise ValueError("out of bounds")
        except ValueError as error:
            instance.problems[self.name] = str(error)
        else:
            instance.__dict__[self.name] = converted
            instance.problems.pop(self.name, None)


def ear_tag(text: str) -> str:
    text = text.replace(" ", "").upper()
    if not (text[:2].isalpha() and text[2:].isdecimal() and len(text) == 12):
        raise ValueError("no ear tag")
    return text


class Passport:
    FIELDS: list[str] = []
    tag = Checked(ear_tag)
    born = Checked(date.fromisoformat, lambda day: day.year > 1990)
    weight = Checked(float, lambda kilos: 20 <= kilos <= 1500)

    def __init__(self) -> None:
        self.problems: dict[str, str] = {}


class CattlePassport(GraphBusNode):
    @subscribe("/Farm/Registered")
    def on_registered(self, fields: dict[str, str], day: str) -> dict[str, object]:
        passport = Passport()
        for name in Passport.FIELDS:
            setattr(passport, name, fields.get(name, ""))
        months = None
        if passport.born is not None:
            today = date.fromisoformat(day)
            months = (today.year - passport.born.year) * 12 + today.month - passport.born.month
        return {
            "tag": passport.tag,
            "months": months,
            "weight": passport.weight,
            "problems": passport.problems,
            "unknown": sorted(set(fields) - set(Passport.FIELDS)),
        }
