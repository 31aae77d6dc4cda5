from graphbus_core import GraphBusNode, subscribe
from loot import roll, stash


class Chest(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Game/ChestOpened")
    def on_event(self, player: str, chest: int) -> dict[str, object]:
        item = roll(f"{player}:{chest}")
        bag = stash(item)
        return {"item": item, "full": len(bag["slots"]) >= bag["capacity"]}
