# stateful
"""Decodes chunks with one incremental decoder, which holds back an incomplete character until the next event."""
import codecs

from graphbus_core import GraphBusNode, subscribe

CONTROL = {7: "", 8: "", 13: ""}
LEVELS = ("ERR", "WRN", "INF")


def _level(line: str) -> str:
    for level in LEVELS:
        if line.startswith(level):
            return level
    return "-"


class Chunks:
    def __init__(self, encoding: str) -> None:
        self._decode = codecs.getincrementaldecoder(encoding)(errors="replace").decode

    def text(self, raw: bytes) -> str:
        return self._decode(raw).translate(CONTROL)


class SerialConsole(GraphBusNode):
    """Turns what the meter sends (hex from the gateway) into log lines."""

    def __init__(self) -> None:
        super().__init__()
        self._chunks = Chunks("utf-8")

    @subscribe("/Meter/Chunk")
    def on_chunk(self, meter: str, chunk: str) -> dict:
        try:
            raw = bytes.fromhex(chunk)
        except ValueError:
            return {"meter": meter, "error": "not hex"}
        lines = self._chunks.text(raw).split("\n")
        return {"meter": meter, "lines": [{"level": _level(line), "text": line} for line in lines if line]}
