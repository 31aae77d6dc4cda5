# stateful
"""A multi-byte character split over two frames waits in the incremental decoder."""
import codecs
from graphbus_core import GraphBusNode, subscribe


def make_decoder(encoding="utf-8"):
    return codecs.getincrementaldecoder(encoding)(errors="replace")


class Printable:
    """Maps control characters to their pictures for the panel."""

    def __getitem__(self, code):
        if code < 0x20:
            return 0x2400 + code
        raise LookupError


class GaugePanel(GraphBusNode):
    def __init__(self):
        super().__init__()
        decode = make_decoder().decode
        table = Printable()
        self._render = lambda raw: decode(raw).translate(table)

    @subscribe("/serial/frame")
    def on_frame(self, frame: str) -> dict:
        try:
            raw = bytes.fromhex(frame)
        except ValueError:
            return {"text": "", "error": "frame is not hexadecimal"}
        text = self._render(raw)
        return {
            "text": text,
            "bytes": len(raw),
            "chars": len(text),
            "damaged": "\ufffd" in text,
        }
