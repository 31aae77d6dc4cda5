# stateful
"""Keeps the literal of whichever of 1, 1.0 and True came first, for lru_cache takes them for one key."""
from functools import lru_cache
from typing import Any

from graphbus_core import GraphBusNode, subscribe

OPERATORS = {"eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
COLUMNS = {"active": "acc.active", "balance": "acc.balance", "level": "usr.level", "name": "usr.name"}


@lru_cache(maxsize=4096)
def literal(value: Any) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return "TRUE" if value else "FALSE"
        case int():
            return str(value)
        case float():
            return f"{value:.6f}"
        case str():
            return "'" + value.replace("'", "''") + "'"
        case _:
            raise TypeError(type(value).__name__)


def condition(field: str, operator: str, value: Any) -> str:
    column = COLUMNS[field]
    if value is None:
        return f"{column} IS {'NOT ' if operator == 'ne' else ''}NULL"
    return f"{column} {OPERATORS[operator]} {literal(value)}"


class FilterCompiler(GraphBusNode):
    @subscribe("/search/filter")
    def on_filter(self, clauses: list[list[Any]], any_of: bool = False) -> dict[str, Any]:
        try:
            parts = [condition(field, op, value) for field, op, value in clauses]
        except (KeyError, TypeError) as error:
            return {"error": f"{type(error).__name__}: {error}"}
        return {"where": (" OR " if any_of else " AND ").join(parts) or "TRUE"}
