from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

from world import ITEMS, Hero, spawn


class HeroFactory(GraphBusNode):
    @subscribe("/Game/Spawn")
    def on_spawn(self, name: str, power: int, gear: list[str]) -> dict[str, object]:
        hero = spawn(name, power=power)
        hero.bag.extend(ITEMS[g] for g in gear)
        return {"hero": hero.name, "load": hero.carrying(), "slow": hero.carrying() > hero.power}


class Armoury(GraphBusNode):
    """Tries a set of gear on a dummy."""

    @subscribe("/Game/TryOn")
    def on_try(self, power: int, gear: list[str]) -> dict[str, object]:
        dummy = Hero("dummy", power)
        dummy.bag.extend(ITEMS[g] for g in gear)
        tags = sorted({t for item in dummy.bag for t in item.tags})
        return {"load": dummy.carrying(), "tags": tags}
