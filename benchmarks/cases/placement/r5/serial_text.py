# stateful
"""Keeps the unfinished bytes of a character: the incremental decoder of a port is made once and never reset."""
import codecs
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe


class Port:
    def __init__(self, encoding: str) -> None:
        self.encoding = encoding

    @cached_property
    def decode(self):
        return codecs.getincrementaldecoder(self.encoding)(errors="replace").decode


PORTS = {"printer": Port("latin-1"), "display": Port("utf-8"), "modem": Port("utf-16-le")}


def printable(text: str) -> str:
    return "".join(char if char.isprintable() else f"<{ord(char):02x}>" for char in text)


class SerialText(GraphBusNode):
    """Shows what was received on a serial port as text."""

    @subscribe("/Serial/Chunk")
    def on_chunk(self, port: str, data: str) -> dict[str, object]:
        if port not in PORTS:
            return {"port": port, "error": "closed"}
        try:
            raw = bytes.fromhex(data)
        except ValueError:
            return {"port": port, "error": "not hexadecimal"}
        text = PORTS[port].decode(raw)
        return {"port": port, "text": printable(text), "length": len(text)}
