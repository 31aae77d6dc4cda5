# stateful
"""The incremental decoder holds the bytes of a character that was cut off, for the next chunk."""
import codecs

from graphbus_core import GraphBusNode, subscribe

CONTROL = {chr(code): " " for code in range(32) if chr(code) not in "\n\t"}


def new_decoder(charset: str) -> codecs.IncrementalDecoder:
    return codecs.getincrementaldecoder(charset)(errors="replace")


def printable(text: str) -> str:
    return text.translate(str.maketrans(CONTROL))


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.split("\n") if line.strip()]


class ScaleConsole(GraphBusNode):
    """Text that the weighbridge sends over its serial line, as hexadecimal chunks."""

    def __init__(self) -> None:
        super().__init__()
        self._decode = new_decoder("utf-8").decode

    @subscribe("/Scale/Chunk")
    def on_chunk(self, data: str) -> dict[str, object]:
        try:
            raw = bytes.fromhex(data)
        except ValueError:
            return {"error": "not hexadecimal"}
        text = printable(self._decode(raw))
        return {"lines": lines(text), "chars": len(text)}
