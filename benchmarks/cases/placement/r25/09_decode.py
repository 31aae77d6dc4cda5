# stateful
"""Keeps the unfinished bytes of a character in an incremental decoder."""
import binascii
import codecs
import unicodedata
from collections import Counter

from graphbus_core import GraphBusNode, subscribe

make_decoder = codecs.getincrementaldecoder("utf-8")


def categories(text: str) -> dict[str, int]:
    return dict(sorted(Counter(map(unicodedata.category, text)).items()))


class Decoder(GraphBusNode):
    """Gets pieces of a byte stream in hexadecimal form."""

    def __init__(self) -> None:
        super().__init__()
        self.decoder = make_decoder(errors="replace")

    @subscribe("/serial/chunk")
    def on_chunk(self, chunk: str) -> dict[str, object]:
        try:
            raw = binascii.unhexlify(chunk)
        except binascii.Error:
            return {"error": "not hexadecimal"}
        text = self.decoder.decode(raw)
        return {"text": text, "kinds": categories(text)}
