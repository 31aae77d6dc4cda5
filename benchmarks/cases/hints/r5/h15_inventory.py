import attrs
from graphbus_core import GraphBusNode, subscribe


@attrs.define
class Bin:
    code: str
    count: int = attrs.field(validator=attrs.validators.ge(0))


@attrs.define
class Inventory:
    warehouse: str
    bins: list[Bin] = attrs.field(factory=list)
    notes: str | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Inventory) -> None: ...


GOOD = [
    {"warehouse": "w"},
    {"warehouse": "w", "bins": [{"code": "a", "count": 0}], "notes": None},
    {"warehouse": "w", "bins": [{"code": "a", "count": 3}, {"code": "b", "count": 1}], "notes": "n"},
]
BAD = [
    {},
    {"warehouse": 1},
    {"warehouse": "w", "bins": [{"code": "a"}]},
    {"warehouse": "w", "bins": [{"code": "a", "count": -1}]},
    {"warehouse": "w", "bins": [{"code": "a", "count": "3"}]},
    {"warehouse": "w", "notes": 5},
]
