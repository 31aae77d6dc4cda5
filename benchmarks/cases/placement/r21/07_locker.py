# stateful
"""Keeps which recipient got which box, in a dict whose __missing__ hands out the next free one."""
from graphbus_core import GraphBusNode, subscribe


class Boxes(dict[str, str]):
    column = "A"
    rows = 12

    def __missing__(self, recipient: str) -> str:
        box = self.label_for(len(self))
        self[recipient] = box
        return box

    def label_for(self, position: int) -> str:
        column = chr(ord(self.column) + position // self.rows)
        return f"{column}{position % self.rows + 1:02d}"


class LargeBoxes(Boxes):
    column = "L"
    rows = 4


class LockerNode(GraphBusNode):
    sizes: tuple[tuple[int, type[Boxes]], ...] = ((20, Boxes), (60, LargeBoxes))

    def __init__(self) -> None:
        super().__init__()
        self.walls = [(limit, kind()) for limit, kind in self.sizes]

    @subscribe("/Locker/Deposit")
    def on_deposit(self, recipient: str, length_cm: int) -> dict[str, str]:
        for limit, wall in self.walls:
            if length_cm <= limit:
                return {"recipient": recipient, "box": wall[recipient]}
        return {"recipient": recipient, "box": "counter"}
