# stateful
from typing import Final

from graphbus_core import GraphBusNode, subscribe

RECORD: Final = ({}, ())


class TideTable(GraphBusNode):
    @subscribe("/Tide/Measured")
    def on_measured(self, payload):
        highest, _ = RECORD
        highest.setdefault(payload["port"], payload["cm"])
        if payload["cm"] > highest[payload["port"]]:
            highest[payload["port"]] = payload["cm"]
            self.publish("/Tide/Record", payload)
