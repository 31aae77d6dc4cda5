# pure
"""Keeps nothing: ChainMap writes go to a child made for the event."""
from collections import ChainMap

from graphbus_core import GraphBusNode, subscribe

COUNTRY_DEFAULTS = {
    "DE": {"order": "zip city", "country": "Germany"},
    "GB": {"order": "city zip", "country": "United Kingdom"},
}
COMMON = {"order": "zip city", "title": "", "extra": ""}


class AddressMerge(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.common = ChainMap(COMMON)

    def _fields(self, country: str) -> ChainMap:
        layer = COUNTRY_DEFAULTS.get(country, {})
        return self.common.new_child(layer).new_child()

    @subscribe("/Address/Print")
    def label(self, country: str, given: dict[str, str]) -> dict[str, object]:
        fields = self._fields(country.upper())
        for key, value in given.items():
            if value.strip():
                fields[key] = value.strip()
        name = f"{fields['title']} {fields.get('name', '')}".strip()
        lines = [name or "To the occupant", fields["extra"], fields.get("street", "")]
        lines.append(" ".join(fields.get(part, "") for part in fields["order"].split()))
        lines.append(fields.get("country", ""))
        printed = [line for line in lines if line.strip()]
        return {"label": printed, "complete": {"street", "zip", "city"} <= fields.keys()}
