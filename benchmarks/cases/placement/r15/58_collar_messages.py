# stateful
"""Keeps the half character at a fragment's end in an incremental decoder of which only the method is held."""
import codecs
import re

from graphbus_core import GraphBusNode, subscribe

FIELD = re.compile(r"(\w+)=([^;]*)")


def from_hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


class CollarMessages(GraphBusNode):
    """Reads what the collars of a herd send over a narrow radio link."""

    def __init__(self) -> None:
        super().__init__()
        self._text = codecs.getincrementaldecoder("utf-8")("replace").decode

    @subscribe("/Herd/Fragment")
    def on_fragment(self, collar: int, payload: str) -> dict[str, object]:
        text = self._text(from_hex(payload))
        fields = {name.lower(): value.strip() for name, value in FIELD.findall(text)}
        return {"collar": collar, "text": text, "fields": dict(sorted(fields.items()))}
