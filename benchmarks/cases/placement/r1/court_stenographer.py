# stateful
import tempfile

from graphbus_core import GraphBusNode, subscribe


class Stenographer(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.protocol = tempfile.TemporaryFile("w+")

    @subscribe("/Court/Said")
    def on_said(self, payload):
        print(payload["who"], payload["words"], sep=": ", file=self.protocol)

    @subscribe("/Court/ReadBack")
    def on_read_back(self, payload):
        self.protocol.seek(0)
        self.publish("/Court/Protocol", {"lines": self.protocol.read().splitlines()})
