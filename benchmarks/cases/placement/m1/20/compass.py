from graphbus_core import GraphBusNode, subscribe
from world import SIZE, TILES, nearest


class Compass(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.path: list[tuple[int, int]] = []

    @subscribe("/Game/CompassUsed")
    def on_event(self, x: int, y: int) -> dict[str, object]:
        x, y = x % SIZE, y % SIZE
        self.path.append((x, y))
        del self.path[:-5]
        here = self.path[-1]
        return {"town": nearest(*here), "tile": TILES[here]}
