# pure
"""The log and the two fighters are attributes, but every event sets all of them anew before it reads them."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Fighter:
    name: str
    health: int
    attack: int
    armour: int = 0

    def __bool__(self) -> bool:
        return self.health > 0

    def __rshift__(self, target: Fighter) -> int:
        """attacker >> target: one blow; returns the damage done."""
        damage = max(1, self.attack - target.armour)
        target.health -= damage
        return damage


KINDS = {"knight": (30, 7, 4), "archer": (20, 9, 1), "troll": (45, 6, 2)}


class LoggedMixin:
    _log: list[str]

    def note(self, text: str) -> None:
        self._log.append(f"{len(self._log) + 1}. {text}")


class DuelReferee(LoggedMixin, GraphBusNode):
    MAX_ROUNDS = 60

    def _muster(self, kind: str, fallback: str) -> Fighter:
        kind = kind if kind in KINDS else fallback
        return Fighter(kind, *KINDS[kind])

    def _turns(self) -> Iterator[tuple[Fighter, Fighter]]:
        pair = (self._left, self._right)
        for turn in range(self.MAX_ROUNDS):
            yield pair[turn % 2], pair[(turn + 1) % 2]

    @subscribe("/Arena/Challenge")
    def on_challenge(self, challenger: str, defender: str, bonus: int) -> dict[str, object]:
        self._log = []
        self._left = self._muster(challenger, "knight")
        self._right = self._muster(defender, "troll")
        self._left.attack += max(0, min(bonus, 5))
        for striker, target in self._turns():
            dealt = striker >> target
            self.note(f"{striker.name} hits {target.name} for {dealt}")
            if not target:
                break
        winner = self._left if self._left.health > self._right.health else self._right
        return {"winner": winner.name, "left": max(0, winner.health), "rounds": len(self._log), "last": self._log[-1]}
