# stateful
"""Keeps an untyped lru_cache in which 1, 1.0 and True are the same key but have different answers."""
import json
from functools import lru_cache
from urllib.parse import quote_plus

from graphbus_core import GraphBusNode, subscribe


@lru_cache(maxsize=512)
def encode_pair(name: str, value: int | float | bool) -> str:
    return f"{quote_plus(name)}={quote_plus(json.dumps(value))}"


class QueryBuilder(GraphBusNode):
    """Builds the query string for the reporting service."""

    @subscribe("/Report/Asked")
    def on_event(self, report: str, filters: dict[str, int | float | bool]) -> dict[str, str]:
        pairs = [encode_pair(name, value) for name, value in sorted(filters.items())]
        return {"url": f"/reports/{quote_plus(report)}?{'&'.join(pairs)}"}
