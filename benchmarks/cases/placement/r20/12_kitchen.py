# stateful
"""Makes the kitchen ticket from a template; the copy of the template is shallow, so the courses grow."""
from copy import copy
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

COURSE_OF = {
    "soup": "starter", "salad": "starter", "schnitzel": "main", "trout": "main", "dumplings": "main",
    "strudel": "dessert", "ice cream": "dessert",
}
MINUTES = {"starter": 6, "main": 18, "dessert": 5}


@dataclass
class Ticket:
    table: int = 0
    notes: str = ""
    courses: dict[str, list[str]] = field(default_factory=lambda: {"starter": [], "main": [], "dessert": []})

    @property
    def minutes(self) -> int:
        return sum(MINUTES[c] + 2 * (len(dishes) - 1) for c, dishes in self.courses.items() if dishes)


def parse_item(item: str) -> tuple[str, int]:
    """'2x soup' -> ('soup', 2)"""
    times, sep, dish = item.partition("x ")
    if sep and times.strip().isdigit():
        return dish.strip().lower(), int(times)
    return item.strip().lower(), 1


class Pass(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.blank = Ticket()

    def _fill(self, table: int, items: list[str]) -> Ticket:
        ticket = copy(self.blank)
        ticket.table = table
        for dish, times in map(parse_item, items):
            course = COURSE_OF.get(dish)
            if course is None:
                ticket.notes += f"ask for {dish}; "
                continue
            ticket.courses[course].extend([dish] * times)
        return ticket

    @subscribe("/Kitchen/Order")
    def on_order(self, table: int, items: list[str]) -> dict[str, object]:
        ticket = self._fill(table, items)
        print(f"table {ticket.table}: " + " / ".join(", ".join(d) or "-" for d in ticket.courses.values()))
        return {"table": table, "minutes": ticket.minutes, "notes": ticket.notes.rstrip("; ")}
