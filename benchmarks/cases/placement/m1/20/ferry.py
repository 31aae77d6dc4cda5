from graphbus_core import GraphBusNode, subscribe
from world import TILES, TOWNS


class Ferry(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.water = sorted(p for p, t in TILES.items() if t == "~")

    @subscribe("/Game/FerryCalled")
    def on_event(self, town: str) -> dict[str, object]:
        x, y = TOWNS[town]
        steps = sorted(self.water, key=lambda p: abs(p[0] - x) + abs(p[1] - y))
        return {"stop": steps.pop(0), "others": len(steps)}
