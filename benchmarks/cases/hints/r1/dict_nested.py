"""Plain generics, three levels deep, in the older spelling."""

from typing import Dict, List, Optional

from graphbus_core import GraphBusNode, subscribe


class Node(GraphBusNode):
    """Node's opening hours: shop, day, hours."""

    @subscribe("/Case/In")
    def on(self, payload: Dict[str, Dict[str, Optional[List[int]]]]) -> None:
        self.hours = payload


GOOD = [
    {},
    {"bern": {}},
    {"bern": {"mon": [8, 18], "sun": None}, "": {"tue": []}},
    {"payload": {"mon": [9]}},
]
BAD = [
    {"bern": None},
    {"bern": {"mon": [8, None]}},
    {"bern": {"mon": 8}},
    {"bern": [{"mon": [8]}]},
    [],
]
