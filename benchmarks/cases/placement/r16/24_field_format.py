# pure
"""Keeps nothing: the generic function gets its types while the module is loaded."""
import uuid
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import singledispatchmethod
from typing import Any

from graphbus_core import GraphBusNode, subscribe

NAMESPACE = uuid.UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")


class Printer:
    def __init__(self, indent: str = "  ") -> None:
        self.indent = indent
        self.depth = 0
        self.rows: list[str] = []

    @singledispatchmethod
    def show(self, value: object) -> str:
        return str(value)

    @show.register
    def _(self, value: bool) -> str:
        return "yes" if value else "no"

    @show.register(int)
    @show.register(Decimal)
    def _(self, value: int | Decimal) -> str:
        return f"{value:,}".replace(",", "\u2009")

    @show.register
    def _(self, value: datetime) -> str:
        return f"{value:%d.%m.%Y %H:%M}"

    @show.register
    def _(self, value: timedelta) -> str:
        hours, rest = divmod(int(value.total_seconds()), 3600)
        return f"{hours}h{rest // 60:02d}"

    def emit(self, key: str, value: Any) -> None:
        margin = self.indent * self.depth
        if isinstance(value, Mapping):
            self.rows.append(f"{margin}{key}:")
            self.depth += 1
            for name in value:
                self.emit(name, value[name])
            self.depth -= 1
        elif isinstance(value, Sequence) and not isinstance(value, str):
            self.rows.append(f"{margin}{key}: " + ", ".join(self.show(item) for item in value))
        else:
            self.rows.append(f"{margin}{key}: {self.show(value)}")


class FieldFormat(GraphBusNode):
    @subscribe("/Record/Show")
    def on_record(self, title: str, when: str, minutes: int, price: str, extra: dict[str, Any]) -> dict[str, object]:
        moment = datetime.fromisoformat(when)
        record = {
            "when": moment,
            "until": moment + timedelta(minutes=minutes),
            "lasts": timedelta(minutes=minutes),
            "price": Decimal(price),
            "leap": date(moment.year, 12, 31).timetuple().tm_yday == 366,
            "extra": extra,
        }
        printer = Printer()
        printer.emit(title, record)
        return {"id": str(uuid.uuid5(NAMESPACE, f"{title}/{when}")), "rows": printer.rows}
