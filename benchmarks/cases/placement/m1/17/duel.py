from graphbus_core import GraphBusNode, subscribe
from arena import SPAWN


class Duel(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Game/DuelStarted")
    def on_event(self, left: str, right: str) -> dict[str, object]:
        a, b = SPAWN[left](), SPAWN[right]()
        rounds = 0
        while a.hp and b.hp:
            rounds += 1
            if b.hit(a.atk):
                a.hit(b.atk)
        win, lose = (a, b) if a.hp else (b, a)
        win.loot |= lose.loot
        return {"winner": win.kind, "hp": win.hp, "rounds": rounds, "loot": win.loot}
