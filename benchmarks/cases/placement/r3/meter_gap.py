# stateful
from graphbus_core import GraphBusNode, subscribe


class MeterGap(GraphBusNode):
    """Reports jumps in the readings of a water meter."""

    _mark = 0
    JUMP = 100

    @subscribe("/Meter/Readings")
    def on_readings(self, payload):
        jumps = []
        before = self._mark
        for self._mark in payload["readings"]:
            if self._mark - before > self.JUMP:
                jumps.append([before, self._mark])
            before = self._mark
        self.publish("/Meter/Jumps", {"meter": payload["meter"], "jumps": jumps})
