from graphbus_core import GraphBusNode, subscribe


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: dict[str, dict[str, int]]) -> None: ...


GOOD = [
    {},
    {"berlin": {}},
    {"berlin": {"sku-1": 4, "sku-2": 0}, "oslo": {"sku-1": -1}},
]
BAD = [
    {"berlin": 4},
    {"berlin": {"sku-1": "4"}},
    {"berlin": {"sku-1": 4}, "oslo": None},
    {"berlin": {"sku-1": False}},
    {"berlin": {"sku-1": 4, "sku-2": 0.5}},
    {"berlin": [["sku-1", 4]]},
]
