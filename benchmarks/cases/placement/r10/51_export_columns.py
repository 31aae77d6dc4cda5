# stateful
"""Keeps columns asked for before, because += extends the very list that stands in the table."""
from typing import Any

from graphbus_core import GraphBusNode, subscribe

BASE = ["id", "created"]
REPORTS: dict[str, list[str]] = {
    "orders": [*BASE, "customer", "total"],
    "refunds": [*BASE, "order", "amount"],
}
SENSITIVE = {"iban", "email", "phone"}


def columns_for(report: str) -> list[str]:
    return REPORTS.get(report, BASE)


def project(rows: list[dict[str, Any]], columns: list[str]) -> list[list[Any]]:
    return [[row.get(column, "") for column in columns] for row in rows]


def select(report: str, extra: list[str], role: str) -> list[str]:
    columns = columns_for(report)
    wanted = [name for name in extra if name not in columns]
    if role != "auditor":
        wanted = [name for name in wanted if name not in SENSITIVE]
    columns += wanted
    return columns


class Exports(GraphBusNode):
    @subscribe("/export/requested")
    def on_export(self, report: str, rows: list[dict[str, Any]], extra: list[str], role: str) -> dict[str, Any]:
        columns = select(report, extra, role)
        table = project(rows, columns)
        return {"header": ";".join(columns), "lines": [";".join(map(str, line)) for line in table]}
