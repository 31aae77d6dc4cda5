# pure
import re

from graphbus_core import GraphBusNode, subscribe

LINE = re.compile(r"(?P<level>[A-Z]+) (?P<text>.*)")


class LogParser(GraphBusNode):
    @subscribe("/Log/Line")
    def on_line(self, payload):
        last = None
        for last in LINE.finditer(payload["line"]):
            pass
        if last:
            self.publish("/Log/Entry", last.groupdict())
