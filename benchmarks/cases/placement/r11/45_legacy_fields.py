# stateful
"""Collects deprecation warnings, which Python shows only once per text and place, by a registry in the module."""
import warnings

from graphbus_core import GraphBusNode, subscribe

RENAMED = {"zip": "postcode", "tel": "phone", "surname": "family_name", "sex": "gender"}


class RenamedField(UserWarning):
    pass


def modern(record: dict[str, str]) -> dict[str, str]:
    result = {}
    for name, value in record.items():
        key = name.lower()
        if key in RENAMED:
            warnings.warn(f"{key} is now {RENAMED[key]}", RenamedField)
        result[RENAMED.get(key, key)] = value.strip()
    return result


class LegacyFields(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._hints: list[str] = []
        warnings.showwarning = self._hint

    def _hint(self, message, category, filename, lineno, file=None, line=None) -> None:
        self._hints.append(str(message))

    @subscribe("/Crm/Contact")
    def on_contact(self, record: dict[str, str]) -> dict:
        self._hints = []
        contact = modern(record)
        return {"contact": contact, "hints": list(self._hints)}
