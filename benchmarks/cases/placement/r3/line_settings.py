# stateful
import configparser

from graphbus_core import GraphBusNode, subscribe

BASE = """
[belt]
speed = 40
guard = on
"""


class LineSettings(GraphBusNode):
    """Operators send small ini fragments, we answer with the full picture."""

    def __init__(self):
        super().__init__()
        self.parser = configparser.ConfigParser()
        self.parser.read_string(BASE)

    @subscribe("/Line/Fragment")
    def on_fragment(self, payload):
        try:
            self.parser.read_string(payload["ini"], source="event")
        except configparser.Error as exc:
            self.publish("/Line/BadFragment", {"error": type(exc).__name__})
            return
        full = {s: dict(self.parser[s]) for s in self.parser.sections()}
        self.publish("/Line/Settings", full)
