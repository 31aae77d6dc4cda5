# pure
"""The template is copied all the way down before anything is filled in."""
from copy import deepcopy
from typing import Any

from graphbus_core import GraphBusNode, subscribe

SLIP: dict[str, Any] = {
    "sender": {"name": "Kontor & Sohn", "city": "Bremen"},
    "to": {"name": "", "city": ""},
    "boxes": [],
    "flags": {"fragile": False, "cold": False},
}
TRAITS = {"vase": "fragile", "glass": "fragile", "milk": "cold", "fish": "cold"}
BOX = 4


class Slip:
    def __init__(self, template: dict[str, Any]) -> None:
        self._data = deepcopy(template)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_data"][name]
        except KeyError:
            raise AttributeError(name) from None

    def address(self, name: str, city: str) -> "Slip":
        self.to.update(name=name, city=city.title())
        return self

    def put(self, item: str) -> "Slip":
        if not self.boxes or len(self.boxes[-1]) >= BOX:
            self.boxes.append([])
        self.boxes[-1].append(item)
        if trait := TRAITS.get(item):
            self.flags[trait] = True
        return self

    def freeze(self) -> dict[str, Any]:
        return self._data


class PackingSlips(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._template = SLIP

    @subscribe("/Warehouse/Pack")
    def on_pack(self, name: str, city: str, items: list[str]) -> dict[str, Any]:
        slip = Slip(self._template).address(name, city)
        for item in items:
            slip.put(item.strip().lower())
        return slip.freeze()
