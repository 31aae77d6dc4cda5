# pure
"""Keeps nothing: singledispatch learns its types while the module loads and none later."""
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import singledispatch
from typing import Any

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Address:
    street: str
    city: str


@dataclass
class Person:
    name: str
    born: date
    address: Address
    balance: Decimal
    session: timedelta = timedelta(minutes=30)


@singledispatch
def render(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: render(getattr(value, field.name)) for field in fields(value)}
    return str(value)


@render.register(int)
@render.register(str)
@render.register(type(None))
def _(value: Any) -> Any:
    return value


@render.register
def _(value: datetime) -> str:
    return value.isoformat(timespec="seconds")


@render.register
def _(value: date) -> str:
    return f"{value:%d %b %Y}"


@render.register
def _(value: Decimal) -> str:
    return f"{value:,.2f}"


@render.register
def _(value: timedelta) -> int:
    return int(value.total_seconds())


@render.register(list)
@render.register(tuple)
def _(value: Any) -> list[Any]:
    return [render(entry) for entry in value]


@render.register
def _(value: dict) -> dict[str, Any]:
    return {str(key): render(entry) for key, entry in value.items()}


class PayloadRender(GraphBusNode):
    @subscribe("/person/render")
    def on_person(self, name: str, born: str, street: str, city: str, balance: str, seen: list[str]) -> dict[str, Any]:
        try:
            person = Person(name, date.fromisoformat(born), Address(street, city), Decimal(balance))
        except ValueError as error:
            return {"error": str(error)}
        if len(seen) > 1:
            person.session = datetime.fromisoformat(seen[-1]) - datetime.fromisoformat(seen[0])
        return render({"person": person, "seen": [datetime.fromisoformat(moment) for moment in seen], "ok": True})
