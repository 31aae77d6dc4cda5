# stateful
"""Turns closed shifts into the plain text that the plant manager reads."""
import contextlib
import io

from graphbus_core import GraphBusNode, subscribe


def print_report(machine, hours, scrap):
    print(f"{machine:<12}{hours:>6.1f} h")
    if scrap:
        print(f"  scrap: {scrap} pcs")


class ShiftReporter(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._page = io.StringIO()

    @subscribe("/Shift/Closed")
    def on_closed(self, payload):
        with contextlib.redirect_stdout(self._page):
            print_report(payload["machine"], payload["hours"], payload.get("scrap", 0))
        self.publish("/Report/Text", {"text": self._page.getvalue()})
