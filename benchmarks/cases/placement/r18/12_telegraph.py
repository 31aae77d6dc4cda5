# stateful
"""The incremental decoder keeps the bytes of a letter cut in half until the next packet brings the rest."""
import codecs
from collections import Counter

from graphbus_core import GraphBusNode, subscribe

ALIASES = {"utf8": "utf-8", "utf-8": "utf-8", "sjis": "shift_jis"}


class LineReader:
    """Turns the hex dumps of a modem into printable text."""

    def __init__(self, encoding: str = "utf8") -> None:
        factory = codecs.getincrementaldecoder(ALIASES[encoding])
        self._decode = factory(errors="replace").decode

    def __call__(self, dump: str) -> str:
        raw = bytes.fromhex(dump.replace(":", ""))
        return self._decode(raw)


def printable(text: str) -> str:
    return "".join(ch if ch.isprintable() else "." for ch in text)


class Telegraph(GraphBusNode):
    reader = LineReader()

    @subscribe("/Modem/Packet")
    def on_packet(self, line: int, dump: str) -> dict[str, object]:
        try:
            text = self.reader(dump)
        except ValueError:
            return {"line": line, "error": "bad dump"}
        letters = Counter(ch for ch in text.lower() if ch.isalpha())
        return {
            "line": line,
            "text": printable(text),
            "letters": sum(letters.values()),
            "broken": text.count("\ufffd"),
        }
