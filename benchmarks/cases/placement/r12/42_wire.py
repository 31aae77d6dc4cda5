# stateful
"""The incremental decoder holds back half a character at the end of a block and puts it in front of the next block."""
import codecs
from collections.abc import Iterable

from graphbus_core import GraphBusNode, subscribe

SIGNS = {0x0A: 0x20, 0x0D: 0x20, 0x00: None}


class BlockReader:
    """Bytes of the agency's ticker to text."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self._decode = codecs.getincrementaldecoder(encoding)("replace").decode

    def __call__(self, block: Iterable[int]) -> str:
        return self._decode(bytes(value & 0xFF for value in block)).translate(SIGNS)


def priority(text: str) -> int:
    """Agency rule: the more exclamation marks, the more urgent, up to four."""
    return min(4, text.count("!"))


def tidy(text: str) -> str:
    return " ".join(text.split())


class TickerDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._read = BlockReader()

    @subscribe("/Agency/Block")
    def on_block(self, agency: str, block: list[int]) -> dict[str, object]:
        text = tidy(self._read(block))
        return {
            "agency": agency,
            "text": text,
            "characters": len(text),
            "priority": priority(text),
            "damaged": "\ufffd" in text,
        }
