# stateful
import json
import tempfile

from graphbus_core import GraphBusNode, subscribe


class TapeRecorder(GraphBusNode):
    """Writes raw trades to a scratch file and tells everyone where they lie."""

    def __init__(self):
        super().__init__()
        self.tape = tempfile.TemporaryFile("w+b")

    def _encode(self, trade):
        return json.dumps(trade, sort_keys=True).encode() + b"\n"

    @subscribe("/Trade/Executed")
    def on_trade(self, payload):
        start = self.tape.tell()
        self.tape.write(self._encode(payload))
        self.tape.flush()
        self.publish("/Tape/Indexed", {
            "trade": payload["id"],
            "start": start,
            "length": self.tape.tell() - start,
        })
