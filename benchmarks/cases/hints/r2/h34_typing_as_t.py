"""`import typing as t` with t.Optional, t.Union, t.Dict, t.List and quoted names before their class."""
import typing as t
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Query:
    table: t.Text
    where: "t.Optional[Clause]" = None
    order_by: t.Union[str, t.List[str], None] = None
    params: t.Dict[str, t.Union[int, "t.List[int]"]] = field(default_factory=dict)


@dataclass
class Clause:
    column: str
    equals: t.Union[int, str]
    also: t.Optional["Clause"] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: "t.Optional[Query]") -> None:
        self.got = payload


GOOD = [
    {"table": "users", "params": {}},
    {"table": "users", "order_by": ["a", "b"], "params": {"x": 1, "y": [2, 3]}},
    {"table": "users", "where": {"column": "id", "equals": 3, "also": {"column": "n", "equals": "k"}}},
    None,
]
BAD = [
    {"table": "users", "where": {"column": "id"}},
    {"table": "users", "where": {"column": "id", "equals": 3, "also": {"column": "n", "equals": None}}},
    {"table": "users", "order_by": [1]},
    {"table": "users", "params": {"x": "one"}},
    {"where": None},
]
