"""TypeAliasType from typing_extensions: a recursive alias, and a generic one with type_params."""
from typing import TypeVar, Union

from typing_extensions import TypeAliasType, TypedDict

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")
Expr = TypeAliasType("Expr", "Union[int, str, dict[str, list[Expr]]]")
OneOrMany = TypeAliasType("OneOrMany", Union[T, list[T]], type_params=(T,))


class Rule(TypedDict):
    when: Expr
    then: OneOrMany[str]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Rule) -> None:
        self.got = payload


GOOD = [
    {"when": "x", "then": "stop"},
    {"when": {"and": [1, {"or": ["a", 2, {"not": []}]}]}, "then": ["stop", "log"]},
    {"when": 3, "then": []},
]
BAD = [
    {"when": {"and": "x"}, "then": "stop"},
    {"when": {"and": [1, {"or": [None]}]}, "then": "stop"},
    {"when": [1, 2], "then": "stop"},
    {"when": 1, "then": [1]},
    {"when": 1, "then": None},
]
