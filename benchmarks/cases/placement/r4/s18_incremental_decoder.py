# stateful
"""Counts the code points of text chunks."""
from graphbus_core import GraphBusNode, subscribe
import codecs


class ChunkReader(GraphBusNode):
    decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode

    @subscribe("/In")
    def on_chunk(self, event):
        text = self.decode(bytes.fromhex(event["hex"]))
        return {"text": text, "total": sum(map(ord, text))}
