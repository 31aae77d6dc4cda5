from dataclasses import dataclass, field


@dataclass(slots=True)
class Unit:
    kind: str
    hp: int
    atk: int
    loot: dict = field(default_factory=dict)

    def hit(self, dmg):
        self.hp = max(0, self.hp - dmg)
        return self.hp


SPAWN = {
    "orc": lambda: Unit("orc", 30, 7, {"gold": 3}),
    "elf": lambda: Unit("elf", 18, 11),
    "golem": lambda: Unit("golem", 90, 4, {"stone": 2}),
}
