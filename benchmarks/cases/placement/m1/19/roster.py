from graphbus_core import GraphBusNode, subscribe
from guild import Member, Officer, Recruit

RANKS = {c.__name__: c for c in (Member, Officer, Recruit)}


class Roster(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.last = None

    @subscribe("/Game/PerksAsked")
    def on_event(self, rank: str) -> list[str]:
        self.last = RANKS[rank]
        return sorted(self.last.perks)
