# stateful
"""Takes network chunks of a chat connection and gives readable text."""
import codecs

from graphbus_core import GraphBusNode, subscribe

decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode


class ChatText(GraphBusNode):
    @subscribe("/Chat/Chunk")
    def on_chunk(self, payload):
        chunk = bytes.fromhex(payload["hex"])
        text = decode(chunk)
        if text:
            self.publish("/Chat/Text", {"text": text, "chars": len(text)})
