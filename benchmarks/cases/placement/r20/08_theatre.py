# pure
"""Seats the groups of one booking list; the plan of the house is built anew for every list."""
from collections import deque
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

ROWS = {"A": 8, "B": 10, "C": 10, "D": 12}
PRICES = {"A": 48, "B": 42, "C": 36, "D": 29}


@dataclass
class House:
    free: dict[str, list[int]] = field(default_factory=lambda: {r: list(range(1, n + 1)) for r, n in ROWS.items()})

    def block(self, seats: list[str]) -> None:
        for seat in seats:
            row, number = seat[0].upper(), int(seat[1:])
            if number in self.free.get(row, []):
                self.free[row].remove(number)

    def take(self, count: int) -> list[str]:
        """Adjacent seats in the best row that has them, else nothing."""
        for row, numbers in self.free.items():
            run: list[int] = []
            for number in numbers:
                run = run + [number] if run and number == run[-1] + 1 else [number]
                if len(run) == count:
                    for taken in run:
                        numbers.remove(taken)
                    return [f"{row}{n}" for n in run]
        return []


class Seating(GraphBusNode):
    @subscribe("/Theatre/BookingList")
    def on_list(self, performance: str, groups: dict[str, int], blocked: list[str]) -> dict[str, object]:
        house = House()
        house.block(blocked)
        waiting = deque(sorted(groups.items(), key=lambda item: (-item[1], item[0])))
        seated: dict[str, list[str]] = {}
        refused: list[str] = []
        while waiting:
            name, count = waiting.popleft()
            seats = house.take(count)
            if seats:
                seated[name] = seats
            elif count > 3:
                # a big party is split and both halves try again
                waiting.append((f"{name}/1", count // 2))
                waiting.append((f"{name}/2", count - count // 2))
            else:
                refused.append(name)
        income = sum(PRICES[seat[0]] for seats in seated.values() for seat in seats)
        return {"performance": performance, "seated": seated, "refused": refused, "income": income}
