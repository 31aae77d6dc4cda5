# pure
"""Renders values with a single-dispatch function whose cases are all registered at import; keeps nothing."""
import json
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import singledispatch

from graphbus_core import GraphBusNode, subscribe


class Unit(Enum):
    KILOGRAM = "kg"
    LITRE = "l"


@singledispatch
def plain(value):
    raise TypeError(f"cannot export {type(value).__name__}")


@plain.register
def _(value: Decimal):
    return format(value.normalize(), "f")


@plain.register
def _(value: date):
    return {"date": value.isoformat(), "week": value.isocalendar()[1]}


@plain.register
def _(value: Enum):
    return value.value


@plain.register(set)
@plain.register(frozenset)
def _(value):
    return sorted(value)


@plain.register
def _(value: Fraction):
    return f"{value.numerator}/{value.denominator}"


PARSERS = {"decimal": Decimal, "date": date.fromisoformat, "moment": datetime.fromisoformat,
           "fraction": Fraction, "unit": lambda text: Unit[text.upper()], "letters": set}


class JsonExport(GraphBusNode):
    @subscribe("/Export/Value")
    def on_value(self, name: str, kind: str, text: str) -> dict[str, str]:
        parser = PARSERS.get(kind, str)
        try:
            value = parser(text)
        except (ValueError, KeyError, ArithmeticError):
            return {"name": name, "error": f"{text!r} is no {kind}"}
        return {"name": name, "json": json.dumps({name: value}, default=plain, sort_keys=True)}
