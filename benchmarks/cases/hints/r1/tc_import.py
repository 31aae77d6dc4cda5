"""The type of the payload is imported for the type checker alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core import GraphBusNode, subscribe

if TYPE_CHECKING:
    from tc_import_types import Delivery


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Delivery) -> None:
        self.delivery = payload


GOOD = [
    {"id": "d1", "stops": []},
    {"id": "d1", "stops": [{"city": "Bern", "eta": 5}], "driver": "ann"},
    {"id": "", "stops": [{"city": "", "eta": None}, {"city": "Chur", "eta": 0.5}]},
]
BAD = [
    {"id": "d1"},
    {"id": "d1", "stops": [{"city": "Bern"}]},
    {"id": "d1", "stops": [{"city": "Bern", "eta": "5"}]},
    {"id": "d1", "stops": [], "driver": None},
    {"id": 1, "stops": []},
]
