"""The hint's types are imported only under `if TYPE_CHECKING`, under another name."""
from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core import GraphBusNode, subscribe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from h50_type_checking_import_types import Shipment as InboundShipment


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Mapping[str, InboundShipment]) -> None:
        self.got = payload


GOOD = [
    {"s1": {"carrier": "dhl", "parcels": [{"kg": 1.5}]}},
    {"s1": {"carrier": "ups", "parcels": []}, "s2": {"carrier": "dhl", "parcels": [{"kg": 2}]}},
]
BAD = [
    {"s1": {"carrier": "fedex", "parcels": []}},
    {"s1": {"carrier": "dhl"}},
    {"s1": {"carrier": "dhl", "parcels": [{"lb": 2}]}},
    {"carrier": "dhl", "parcels": []},
]
