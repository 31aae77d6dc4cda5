# stateful
"""The decoder keeps the bytes of a letter that was cut in two until the next piece comes."""
import codecs
from itertools import islice

from graphbus_core import GraphBusNode, subscribe


def lines(text, width):
    it = iter(text.split())
    line = next(it, "")
    for word in it:
        if len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line += " " + word
    if line:
        yield line


def reader(encoding="utf-8"):
    decode = codecs.getincrementaldecoder(encoding)("replace").decode
    return lambda piece: decode(bytes.fromhex(piece))


class Captions(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.read = reader()

    @subscribe("/Video/Transcript")
    def on_piece(self, piece: str, width: int = 32) -> dict:
        text = self.read(piece)
        return {"lines": list(islice(lines(text, width), 4)), "characters": len(text)}
