from graphbus_core import GraphBusNode, subscribe
from arena import clock as sun

PHASES = ("dawn", "day", "dusk", "night")


class Daylight(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Game/SkyAsked")
    def on_event(self, offset: int) -> str:
        return PHASES[(int(sun) + offset) // 5 % 4]
