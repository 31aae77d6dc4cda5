# pure
"""The taken seats come with the event and are marked on a new plan."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Section(Enum):
    STALLS = ("ABC", 6)
    CIRCLE = ("AB", 4)

    def __init__(self, rows: str, width: int) -> None:
        self.rows = rows
        self.width = width

    def plan(self) -> dict[str, list[bool]]:
        return {row: [True] * self.width for row in self.rows}


def mark(plan: dict[str, list[bool]], taken: list[str]) -> None:
    for seat in taken:
        row, number = seat[0], int(seat[1:])
        if row in plan and number <= len(plan[row]):
            plan[row][number - 1] = False


def runs(row: list[bool], size: int):
    for start in range(len(row) - size + 1):
        if all(row[start:start + size]):
            yield start


class SeatMap(GraphBusNode):
    @subscribe("/View")
    def on_view(self, section: str, taken: list[str], party: int) -> dict[str, object]:
        part = Section[section]
        plan = part.plan()
        mark(plan, taken)
        middle = (part.width - party) / 2
        options = [(abs(s - middle), row, s) for row, seats in plan.items() for s in runs(seats, party)]
        best = min(options, default=None)
        picked = [f"{best[1]}{best[2] + i + 1}" for i in range(party)] if best else []
        return {"picture": ["".join(".x"[not free] for free in seats) for seats in plan.values()], "best": picked}
