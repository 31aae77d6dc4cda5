from graphbus_core import GraphBusNode, subscribe
import guild


class Tryout(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Game/Applied")
    def on_event(self, name: str, score: int) -> dict[str, object]:
        r = guild.Recruit(name)
        r.bonus += score
        return {"name": r.name, "power": r.power()}
