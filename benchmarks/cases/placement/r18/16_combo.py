# stateful
"""The decorator keeps the streak of hits as an attribute of the wrapped function."""
from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from functools import wraps

from graphbus_core import GraphBusNode, subscribe


class Move(IntEnum):
    JAB = 4
    KICK = 9
    THROW = 14
    UPPERCUT = 20


ARMOUR = {"none": 0, "leather": 3, "plate": 8}
BONUS = (1.0, 1.0, 1.25, 1.5, 2.0)


def chained(function: Callable[..., int]) -> Callable[..., int]:
    @wraps(function)
    def attack(*args: object, **options: object) -> int:
        damage = function(*args, **options)
        attack.streak = attack.streak + 1 if damage > 0 else 0
        return round(damage * BONUS[min(attack.streak, len(BONUS) - 1)])

    attack.streak = 0
    return attack


@chained
def strike(move: Move, armour: str, blocked: bool) -> int:
    if blocked and move is not Move.THROW:
        return 0
    return max(0, move - ARMOUR.get(armour, 0))


def announce(player: str, damage: int) -> str:
    verb = "misses" if not damage else "hits" if damage < 15 else "crushes"
    return f"{player.title()} {verb}" + (f" for {damage}" if damage else "")


class Arena(GraphBusNode):
    @subscribe("/Arena/Attack")
    def on_attack(self, player: str, move: str, armour: str, blocked: bool) -> dict[str, object]:
        try:
            kind = Move[move.upper()]
        except KeyError:
            return {"line": f"{player.title()} stumbles", "damage": 0}
        damage = strike(kind, armour, blocked)
        return {"line": announce(player, damage), "damage": damage}
