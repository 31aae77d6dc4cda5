from itertools import product

from graphbus_core import GraphBusNode, subscribe
from protocol import PROTOCOLS

WELLS = [r + str(c) for r, c in product("ABCD", range(1, 7))]


class Plate(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.kinds = tuple(PROTOCOLS)

    @subscribe("/Lab/PlateLoaded")
    def on_event(self, samples: int, skip: int) -> dict[str, object]:
        free = iter(WELLS[skip:])
        used = [w for w, _ in zip(free, range(samples))]
        return {"used": used, "next": next(free, None), "kinds": len(self.kinds)}
