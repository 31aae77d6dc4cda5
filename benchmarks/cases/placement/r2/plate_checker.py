# pure
import re

from graphbus_core import GraphBusNode, subscribe

PLATE = re.compile(r"[A-Z]{1,3}-[A-Z]{1,2} [0-9]{1,4}")


class PlateChecker(GraphBusNode):
    @subscribe("/Plate/Seen")
    def on(self, payload):
        self.publish("/Plate/Checked", {"ok": bool(PLATE.fullmatch(payload["plate"]))})
