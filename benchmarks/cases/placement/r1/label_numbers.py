# stateful
from collections import defaultdict
from itertools import count

from graphbus_core import GraphBusNode, subscribe


class Labels(GraphBusNode):
    """Names become numbers, as classifiers like them."""

    def __init__(self):
        super().__init__()
        self.code = defaultdict(count().__next__)

    @subscribe("/Sample/Named")
    def on_named(self, payload):
        code = self.code
        self.publish("/Sample/Coded", {"codes": [code[name] for name in payload["names"]]})
