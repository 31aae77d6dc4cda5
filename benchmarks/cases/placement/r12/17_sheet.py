# stateful
"""The descriptor puts the value on itself rather than on the sheet, so a new sheet begins with the stats of the last one."""
from typing import Any

from graphbus_core import GraphBusNode, subscribe


class Stat:
    """A number held between bounds."""

    def __init__(self, low: int, high: int, start: int) -> None:
        self.low, self.high = low, high
        self.value = start

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, sheet: Any, owner: type | None = None) -> Any:
        return self if sheet is None else self.value

    def __set__(self, sheet: Any, value: int) -> None:
        self.value = max(self.low, min(self.high, value))


class Sheet:
    health = Stat(0, 200, 100)
    mana = Stat(0, 80, 20)
    armour = Stat(0, 50, 5)

    def __init__(self, role: str) -> None:
        self.role = role

    def apply(self, item: str) -> None:
        match item.split(":"):
            case ["potion", *_]:
                self.health += 25
            case ["scroll", *_]:
                self.mana += 10
            case ["shield", kind]:
                self.armour += 12 if kind == "iron" else 6
            case _:
                pass

    @property
    def rating(self) -> int:
        return self.health + 2 * self.mana + 3 * self.armour


class CharacterSheets(GraphBusNode):
    @subscribe("/Game/Preview")
    def on_preview(self, role: str, items: list[str]) -> dict[str, object]:
        sheet = Sheet(role)
        for item in items:
            sheet.apply(item.lower())
        return {"role": sheet.role, "health": sheet.health, "armour": sheet.armour, "rating": sheet.rating}
