# stateful
"""The incremental decoder holds the bytes of a character that a chunk ended in."""
import codecs
import re

from graphbus_core import GraphBusNode, subscribe

NOISE = re.compile(r"[\x00-\x1f]+")


class TelegramText(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode

    @subscribe("/Train/Telegram")
    def on_chunk(self, train: int, chunk: str) -> dict[str, object]:
        try:
            raw = bytes.fromhex(chunk)
        except ValueError:
            return {"train": train, "error": "not hexadecimal"}
        text = NOISE.sub(" ", self._decode(raw))
        return {"train": train, "text": text, "damaged": "\N{REPLACEMENT CHARACTER}" in text}
