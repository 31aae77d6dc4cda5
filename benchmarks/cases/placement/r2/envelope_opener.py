# pure
import json

from graphbus_core import GraphBusNode, subscribe


class EnvelopeOpener(GraphBusNode):
    @subscribe("/Envelope/Came")
    def on(self, payload):
        try:
            content = json.loads(payload["body"])
        except json.JSONDecodeError as error:
            self.publish("/Envelope/Broken", {"why": error.msg})
            return
        self.publish("/Envelope/Opened", {"keys": sorted(content)})
