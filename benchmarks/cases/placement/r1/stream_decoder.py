# stateful
"""Text comes in pieces that may end in the middle of a letter."""

import codecs

from graphbus_core import GraphBusNode, subscribe


class Terminal(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode

    @subscribe("/Serial/Bytes")
    def on_bytes(self, payload):
        self.publish("/Serial/Text", {"text": self.decode(bytes.fromhex(payload["hex"]))})
