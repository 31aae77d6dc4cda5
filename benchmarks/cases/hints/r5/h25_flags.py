from graphbus_core import GraphBusNode, subscribe


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: dict[str, dict[str, bool | None]]) -> None: ...


GOOD = [
    {},
    {"web": {}},
    {"web": {"dark": True, "beta": None}, "app": {"x": False}},
]
BAD = [
    {"web": True},
    {"web": {"dark": 1}},
    {"web": {"dark": "true"}},
    {"web": {}, "app": None},
    {"web": [True]},
]
