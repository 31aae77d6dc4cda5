from dataclasses import dataclass, field
from typing import Optional, TypeVar, Union

from typing_extensions import TypeAliasType, TypedDict

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")

Cents = TypeAliasType("Cents", int)
Tree = TypeAliasType("Tree", "Union[T, list[Tree[T]]]", type_params=(T,))
Maybe = TypeAliasType("Maybe", Optional[T], type_params=(T,))
ByName = TypeAliasType("ByName", dict[str, Maybe[T]], type_params=(T,))


class Fee(TypedDict):
    amount: Cents
    label: Maybe[str]


@dataclass
class Quote:
    fees: ByName[Fee]
    shape: Tree[Cents] = field(default_factory=list)


Incoming = TypeAliasType("Incoming", Quote)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Incoming) -> None: ...


GOOD = [
    {"fees": {}},
    {"fees": {"a": None, "b": {"amount": 5, "label": None}}, "shape": 4},
    {"fees": {"b": {"amount": 5, "label": "x"}}, "shape": [1, [2, [3, []]], 4]},
]
BAD = [
    {"fees": {"a": 5}},
    {"fees": {"a": {"amount": 5}}},
    {"fees": {"a": {"amount": 5.5, "label": None}}},
    {"fees": {}, "shape": [1, [2, ["3"]]]},
    {"fees": {}, "shape": None},
    {"fees": {"a": {"amount": 5, "label": 6}}},
]
