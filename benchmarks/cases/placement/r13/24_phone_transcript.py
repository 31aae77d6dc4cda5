# stateful
"""An incremental decoder is kept: a cut multi-byte character waits for the next chunk."""
import codecs

from graphbus_core import GraphBusNode, subscribe


class Transcript(GraphBusNode):
    """Hex chunks of UTF-8 text from the call centre."""

    def __init__(self) -> None:
        super().__init__()
        make = codecs.getincrementaldecoder("utf-8")
        self.decode = make(errors="replace").decode

    @subscribe("/Calls/Chunk")
    def on_chunk(self, speaker: str, data: str) -> dict[str, object]:
        text = self.decode(bytes.fromhex(data))
        words = text.split()
        return {"speaker": speaker, "text": text, "words": len(words)}
