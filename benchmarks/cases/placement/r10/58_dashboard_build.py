# pure
"""Keeps nothing: the template is deep-copied before a single field is changed."""
import copy
from collections.abc import Callable
from typing import Any

from graphbus_core import GraphBusNode, subscribe

TEMPLATE: dict[str, Any] = {
    "title": "Overview",
    "refresh": 60,
    "rows": [
        {"name": "traffic", "panels": [{"kind": "graph", "query": "sum(requests)"}]},
        {"name": "errors", "panels": [{"kind": "stat", "query": "sum(errors)"}]},
    ],
    "tags": ["generated"],
}


class DashboardBuilder:
    """Fluent helper around one copy of the template."""

    def __init__(self, service: str) -> None:
        self._board = copy.deepcopy(TEMPLATE)
        self._board["title"] = f"{service} overview"
        self._each_panel(lambda panel: panel.update(query=panel["query"].replace(")", f'{{service="{service}"}})')))

    def _each_panel(self, change: Callable[[dict[str, Any]], None]) -> None:
        for row in self._board["rows"]:
            for panel in row["panels"]:
                change(panel)

    def tagged(self, *tags: str) -> "DashboardBuilder":
        self._board["tags"].extend(tag for tag in tags if tag not in self._board["tags"])
        return self

    def panel(self, row: str, kind: str, query: str) -> "DashboardBuilder":
        for existing in self._board["rows"]:
            if existing["name"] == row:
                existing["panels"].append({"kind": kind, "query": query})
                return self
        self._board["rows"].append({"name": row, "panels": [{"kind": kind, "query": query}]})
        return self

    def without(self, row: str) -> "DashboardBuilder":
        self._board["rows"] = [existing for existing in self._board["rows"] if existing["name"] != row]
        return self

    def build(self) -> dict[str, Any]:
        self._board["panels"] = sum(len(row["panels"]) for row in self._board["rows"])
        return self._board


class Dashboards(GraphBusNode):
    @subscribe("/service/registered")
    def on_service(self, service: str, tags: list[str], panels: list[list[str]], hide: str = "") -> dict[str, Any]:
        builder = DashboardBuilder(service).tagged(*tags)
        for row, kind, query in panels:
            builder = builder.panel(row, kind, query)
        if hide:
            builder.without(hide)
        return builder.build()
