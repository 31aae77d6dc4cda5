# stateful
"""An incremental decoder keeps the half of a character until the next chunk."""
import codecs

from graphbus_core import GraphBusNode, subscribe

MORSE = {"O": "---", "K": "-.-", "É": "..-..", ".": ".-.-.-"}


def morse(text: str) -> str:
    return " ".join(MORSE.get(ch.upper(), "/") for ch in text)


class Wire:
    def __init__(self, encoding: str = "utf-8") -> None:
        make = codecs.getincrementaldecoder(encoding)
        self._decoder = make(errors="replace")

    def text(self, data: bytes) -> str:
        return self._decoder.decode(data, final=False)


class TelegraphOffice(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.wires = {name: Wire() for name in "ab"}

    @subscribe("/Chunk")
    def on_chunk(self, line: str, data: str) -> dict[str, str]:
        text = self.wires[line].text(bytes.fromhex(data))
        return {"line": line, "text": text, "morse": morse(text)}
