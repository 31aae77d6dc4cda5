from graphbus_core import GraphBusNode, subscribe
import loot


class Odds(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.share = dict(loot.DROPS)

    @subscribe("/Game/OddsAsked")
    def on_event(self, player: str, tries: int) -> dict[str, object]:
        bag = {"capacity": tries, "slots": []}
        for i in range(tries):
            loot.stash(loot.roll(f"{player}:{i}"), bag)
        return {"worth": loot.worth(bag["slots"]), "expected": sum(loot.PRICES[k] * v for k, v in self.share.items()) * tries // 100}
