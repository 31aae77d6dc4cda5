# pure
"""Boxes are opened for one shipment and closed with it."""
from __future__ import annotations

import math
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Box:
    capacity: int
    contents: list[int] = field(default_factory=list)

    @property
    def room(self) -> int:
        return self.capacity - sum(self.contents)

    def put(self, item: int) -> None:
        if item > self.room:
            raise ValueError(item)
        self.contents.append(item)


class Packer:
    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.boxes: list[Box] = []
        self.oversize: list[int] = []

    def add(self, item: int) -> None:
        if item > self.capacity:
            self.oversize.append(item)
            return
        # best fit: the fullest box that still takes it
        fitting = [b for b in self.boxes if b.room >= item]
        if fitting:
            box = min(fitting, key=lambda b: b.room)
        else:
            box = Box(self.capacity)
            self.boxes.append(box)
        box.put(item)


class Shipping(GraphBusNode):
    @subscribe("/warehouse/shipment")
    def on_shipment(self, items: list[int], capacity: int) -> dict:
        packer = Packer(capacity)
        for item in sorted(items, reverse=True):
            packer.add(item)
        used = len(packer.boxes)
        return {
            "boxes": [b.contents for b in packer.boxes],
            "oversize": packer.oversize,
            "lower_bound": math.ceil(sum(items) / capacity),
            "fill": round(sum(map(sum, (b.contents for b in packer.boxes))) / (used * capacity), 3) if used else 0,
        }
