"""The typing_extensions spelling of what typing has too, mixed with typing's own."""
import typing as t

import typing_extensions as te

from graphbus_core import GraphBusNode, subscribe

Op: te.TypeAlias = te.Literal["add", "sub"]


class Step(t.TypedDict):
    op: Op
    args: te.Annotated[tuple[int, te.Unpack[tuple[int, ...]]], te.Doc("one or more")]
    why: te.NotRequired[te.LiteralString]
    never: te.NotRequired[te.Never]


class Plan(te.TypedDict, total=False):
    steps: te.Required[t.List[Step]]
    by: t.NotRequired[t.Optional[str]]
    at: te.Annotated[te.NotRequired[int], "epoch"]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: te.Annotated[Plan, te.Doc("p")]) -> None: ...


GOOD = [
    {"steps": []},
    {"steps": [{"op": "add", "args": [1]}], "by": None},
    {"steps": [{"op": "sub", "args": [1, 2, 3], "why": "w"}], "by": "b", "at": 5},
]
BAD = [
    {"by": "b"},
    {"steps": [{"op": "mul", "args": [1]}]},
    {"steps": [{"op": "add", "args": []}]},
    {"steps": [{"op": "add", "args": [1, "2"]}]},
    {"steps": [{"op": "add", "args": [1], "never": None}]},
    {"steps": [], "at": None},
]
