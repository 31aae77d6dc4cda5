from graphbus_core import GraphBusNode, subscribe
from guild import Officer


class Raid(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Game/RaidCalled")
    def on_event(self, leader: str, rank: int) -> dict[str, object]:
        o = Officer(leader, rank)
        return {"leader": o.name, "power": o.power(), "perks": list(o.perks)}
