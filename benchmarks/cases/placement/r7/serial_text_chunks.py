# stateful
"""The incremental decoder keeps the unfinished bytes of a character (and the last partial line) until the next chunk."""
import codecs

from graphbus_core import GraphBusNode, subscribe


def from_hex(data: str) -> bytes:
    return bytes.fromhex(data.replace(":", ""))


class LineCutter:
    """Cuts decoded text at line ends."""

    def __init__(self, encoding: str) -> None:
        factory = codecs.getincrementaldecoder(encoding)
        self.decode = factory(errors="replace").decode
        self.terminator = "\n"

    def cut(self, raw: bytes) -> list[str]:
        text = self.decode(raw)
        return [part for part in text.split(self.terminator) if part]


class SerialReader(GraphBusNode):
    """Text from a serial console arrives as hex dumps."""

    def __init__(self) -> None:
        super().__init__()
        self.cutter = LineCutter("utf-8")

    @subscribe("/serial/chunk")
    def on_chunk(self, port: str, data: str) -> dict[str, object]:
        lines = self.cutter.cut(from_hex(data))
        return {
            "port": port,
            "lines": lines,
            "chars": sum(map(len, lines)),
            "alarm": any(text.startswith("!!") for text in lines),
        }
