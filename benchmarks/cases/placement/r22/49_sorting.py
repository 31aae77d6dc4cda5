# stateful
"""All days share the one list that dict.fromkeys was given."""
import re

from graphbus_core import GraphBusNode, subscribe

DAYS = ("mon", "tue", "wed", "thu", "fri")
ADDRESS = re.compile(r"(?P<street>\D+?)\s+(?P<number>\d+)$")
BAG_SIZE = 5


def walk_key(address: str) -> tuple[str, int]:
    match = ADDRESS.match(address)
    if not match:
        return (address, 0)
    return (match["street"], int(match["number"]))


class SortingOffice(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.bags = dict.fromkeys(DAYS, [])

    def _bag(self, day: str) -> list[tuple[str, int]]:
        bag = self.bags[day]
        if len(bag) >= BAG_SIZE:
            del bag[:]
        return bag

    @subscribe("/Letter")
    def on_letter(self, day: str, street: str, stamp: int) -> dict[str, object]:
        key = walk_key(street)
        bag = self._bag(day)
        place = sum(other <= key for other in bag)
        bag.insert(place, key)
        return {"day": day, "place": place, "due": max(0, 100 - stamp)}
