from graphbus_core import GraphBusNode, subscribe

from media import WALL


class Hanging(GraphBusNode):
    def __init__(self):
        super().__init__()

    @subscribe("/Museum/Wall/Planned")
    def plan(self, works: list, width: int) -> dict:
        return {"places": [list(p) for p in WALL.hang([tuple(w) for w in works], width)]}
