# stateful
"""Lets cars into the garage; each level has a semaphore that remembers how many are inside."""
import re
from threading import BoundedSemaphore

from graphbus_core import GraphBusNode, subscribe

PLATE = re.compile(r"^([A-ZÄÖÜ]{1,3})[- ]([A-Z]{1,2})\s?(\d{1,4})(E|H)?$")


class Level:
    def __init__(self, name: str, height: float, places: int) -> None:
        self.name = name
        self.height = height
        self._gate = BoundedSemaphore(places)

    def enter(self) -> bool:
        return self._gate.acquire(blocking=False)

    def leave(self) -> bool:
        try:
            self._gate.release()
        except ValueError:
            return False
        return True


def tariff(minutes: int) -> int:
    """Cents: first quarter of an hour free, then each begun hour, at most a day's price."""
    if minutes <= 15:
        return 0
    hours = -(-minutes // 60)
    days, rest = divmod(hours, 24)
    return days * 2000 + min(rest * 250, 2000)


class Garage(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.levels = {level.name: level for level in (Level("low", 1.8, 3), Level("high", 2.2, 2))}

    @subscribe("/Garage/Entry")
    def on_entry(self, plate: str, height: float) -> dict[str, object]:
        match = PLATE.match(plate.strip().upper())
        if match is None:
            return {"open": False, "why": "unreadable"}
        level = next((lv for lv in self.levels.values() if height <= lv.height and lv.enter()), None)
        if level is None:
            return {"open": False, "why": "full"}
        return {"open": True, "level": level.name, "charger": match[4] == "E"}

    @subscribe("/Garage/Exit")
    def on_exit(self, level: str, minutes: int) -> dict[str, object]:
        known = self.levels.get(level)
        return {"open": known is not None and known.leave(), "pay": tariff(minutes)}
