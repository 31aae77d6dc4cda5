# stateful
"""Books rooms; what is booked stands in a small database that the node opens for itself."""
import sqlite3
from datetime import date, timedelta

from graphbus_core import GraphBusNode, subscribe

SCHEMA = """
CREATE TABLE room (number INTEGER PRIMARY KEY, beds INTEGER, cents INTEGER);
CREATE TABLE stay (room INTEGER, arrive TEXT, leave TEXT, guest TEXT);
INSERT INTO room VALUES (11, 1, 6900), (12, 2, 9900), (21, 2, 10900), (31, 4, 15900);
"""
FREE = """
SELECT number, cents FROM room
WHERE beds >= :persons AND NOT EXISTS (
    SELECT 1 FROM stay WHERE stay.room = room.number AND stay.arrive < :leave AND stay.leave > :arrive)
ORDER BY beds, cents LIMIT 1
"""


def open_house(script: str = SCHEMA) -> sqlite3.Connection:
    house = sqlite3.connect(":memory:", check_same_thread=False)
    house.executescript(script)
    return house


def season(day: date) -> float:
    if day.month in (7, 8):
        return 1.3
    return 0.8 if day.month in (1, 2, 11) else 1.0


def price(cents: int, arrive: date, nights: int) -> int:
    days = (arrive + timedelta(days=n) for n in range(nights))
    return round(sum(cents * season(day) for day in days))


class Reception(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._execute = open_house().execute

    @subscribe("/Hotel/Request")
    def on_request(self, guest: str, persons: int, arrive: str, nights: int) -> dict[str, object]:
        first = date.fromisoformat(arrive)
        stay = {"persons": persons, "arrive": arrive, "leave": (first + timedelta(days=nights)).isoformat(), "guest": guest}
        row = self._execute(FREE, stay).fetchone()
        if row is None:
            return {"guest": guest, "room": None}
        number, cents = row
        self._execute("INSERT INTO stay VALUES (:room, :arrive, :leave, :guest)", {**stay, "room": number})
        return {"guest": guest, "room": number, "leave": stay["leave"], "price": f"{price(cents, first, nights) / 100:.2f}"}
