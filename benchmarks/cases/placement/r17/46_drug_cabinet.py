# stateful
"""Keeps audit hooks: each controlled withdrawal adds one to the interpreter, and none can be removed."""
from __future__ import annotations

import sys
from typing import Any, Callable

from graphbus_core import GraphBusNode, subscribe

CONTROLLED = frozenset({"morphine", "fentanyl", "ketamine", "midazolam"})


def witness(trail: list[str]) -> Callable[[str, tuple[Any, ...]], None]:
    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "cabinet.open":
            trail.append("drawer {} for {}".format(*args))

    return hook


class Cabinet:
    """The drawers; says on the audit channel which of them it opens."""

    def __init__(self, drawers: int) -> None:
        self.drawers = drawers

    def take(self, drug: str, nurse: str) -> int:
        drawer = sum(map(ord, drug)) % self.drawers + 1
        sys.audit("cabinet.open", drawer, nurse)
        return drawer


class DrugCabinet(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._cabinet = Cabinet(drawers=12)
        self._trail: list[str] = []

    @subscribe("/Withdrawals")
    def on_withdrawal(self, nurse: str, drug: str, pieces: int) -> dict[str, object]:
        self._trail.clear()
        drug = drug.casefold().strip()
        if pieces < 1:
            return {"drawer": None, "trail": []}
        if drug in CONTROLLED:
            sys.addaudithook(witness(self._trail))
        drawer = self._cabinet.take(drug, nurse)
        return {"drawer": drawer, "trail": list(self._trail)}
