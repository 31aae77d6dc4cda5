from graphbus_core import GraphBusNode, subscribe
from guild import Member


class Shrine(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Game/Offering")
    def on_event(self, gold: int) -> dict[str, int]:
        return {"blessing": Member.bless(gold // 2)}
