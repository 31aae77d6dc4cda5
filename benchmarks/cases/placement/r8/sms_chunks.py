# stateful
"""Keeps the unfinished character of the last chunk inside an incremental decoder."""
import base64
import binascii
import codecs
import textwrap

from graphbus_core import GraphBusNode, subscribe

SMS_WIDTH = 20


def open_packet(packet: str) -> bytes:
    padding = "=" * (-len(packet) % 4)
    return base64.urlsafe_b64decode(packet + padding)


def lay_out(text: str) -> list[str]:
    return textwrap.wrap(text, SMS_WIDTH, drop_whitespace=False) or [""]


class Transcoder:
    def __init__(self, charset: str) -> None:
        self._decoder = codecs.getincrementaldecoder(charset)(errors="replace")

    def __call__(self, raw: bytes) -> str:
        return self._decoder.decode(raw)


class SmsChunks(GraphBusNode):
    """Decodes the packets of the gateway and breaks them into lines."""

    def __init__(self) -> None:
        super().__init__()
        self.to_text = Transcoder("utf-8")

    @subscribe("/Gateway/Packet")
    def on_packet(self, packet: str) -> dict[str, object]:
        try:
            raw = open_packet(packet)
        except (binascii.Error, ValueError):
            return {"lines": [], "size": 0, "bad": True}
        text = self.to_text(raw)
        return {"lines": lay_out(text), "size": len(raw), "bad": "\ufffd" in text}
