# stateful
"""Keeps the limit a supplier asked for in the csv module's own field_size_limit."""
import csv

from graphbus_core import GraphBusNode, subscribe


def parse(line: str, longest: int | None) -> list[str]:
    if longest:
        csv.field_size_limit(longest)
    return next(csv.reader([line], strict=True), [])


class SupplierImport(GraphBusNode):
    @subscribe("/Import/Line")
    def on_event(self, supplier: str, line: str, longest: int | None) -> dict[str, object]:
        try:
            fields = parse(line, longest)
        except csv.Error as error:
            return {"supplier": supplier, "fields": [], "error": str(error)}
        return {"supplier": supplier, "fields": [field.strip() for field in fields], "error": ""}
