import arena
from graphbus_core import GraphBusNode, subscribe


class Ticker(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Game/Frame")
    def on_event(self, frames: int) -> int:
        arena.clock += frames
        return int(arena.clock)
