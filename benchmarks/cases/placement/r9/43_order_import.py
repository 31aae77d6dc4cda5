# stateful
"""Collects warnings for the answer, but Python's warning registry shows the same warning only the first time."""
import warnings

from graphbus_core import GraphBusNode, subscribe

RENAMED = {"qty": "quantity", "cust": "customer", "zip": "postcode", "art": "sku"}
REQUIRED = ("sku", "quantity", "customer")


class LegacyField(UserWarning):
    pass


def modernise(record: dict[str, str]) -> dict[str, str]:
    fresh = {}
    for name, value in record.items():
        if name in RENAMED:
            warnings.warn(f"field {name!r} is now called {RENAMED[name]!r}", LegacyField)
            name = RENAMED[name]
        fresh[name] = value.strip()
    return fresh


class OrderImport(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._hints: list[str] = []
        warnings.showwarning = self._note

    def _note(self, message, category, filename, lineno, file=None, line=None) -> None:
        self._hints.append(str(message))

    @subscribe("/Import/Record")
    def on_record(self, record: dict[str, str]) -> dict[str, object]:
        self._hints.clear()
        order = modernise(record)
        missing = [name for name in REQUIRED if not order.get(name)]
        return {"order": order, "missing": missing, "hints": list(self._hints)}
