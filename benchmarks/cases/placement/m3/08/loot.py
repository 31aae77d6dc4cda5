from graphbus_core import GraphBusNode, subscribe

import dice

TREASURE = ["rope", "lamp", "ring", "sword", "map", "nothing"]
WEIGHTS = [6, 5, 1, 2, 3, 8]


class LootChest(GraphBusNode):
    @subscribe("/Chest/Opened")
    def opened(self, hero: str, luck: int) -> dict:
        best = max(dice.roll(len(TREASURE)) for _ in range(1 + luck))
        return {"hero": hero, "found": TREASURE[-best]}


class DungeonMap(GraphBusNode):
    """The same dungeon name always gives the same rooms."""

    @subscribe("/Dungeon/Entered")
    def entered(self, dungeon: str, rooms: int) -> list[str]:
        rng = dice.seeded(dungeon)
        furniture = rng.choices(TREASURE, WEIGHTS, k=rooms)
        doors = [dice.roll(4, rng) for _ in range(rooms)]
        return [f"{n}:{thing}/{door}" for n, (thing, door) in enumerate(zip(furniture, doors))]


class ReplayDesk(GraphBusNode):
    @subscribe("/Replay/Started")
    def started(self, seed: int) -> str:
        dice.table_rng.seed(seed)
        return f"replay {seed:05d}"
