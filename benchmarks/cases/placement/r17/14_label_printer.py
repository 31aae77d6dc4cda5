# stateful
"""The one BytesIO is rewound but never cut off, so the tail of a longer label stays behind a shorter one."""
import io
import struct
import zlib

from graphbus_core import GraphBusNode, subscribe

HEADER = struct.Struct(">2sBH")
MAGIC = b"LB"


class LabelWriter:
    """Writes parcel labels in the printer's binary form, without a new buffer for each."""

    def __init__(self) -> None:
        self._out = io.BytesIO()

    def _text(self, tag: int, text: str) -> None:
        raw = text.encode("utf-8")[:255]
        self._out.write(bytes((tag, len(raw))))
        self._out.write(raw)

    def render(self, receiver: str, street: str, lines: list[str]) -> bytes:
        self._out.seek(0)
        self._out.write(HEADER.pack(MAGIC, 1, 2 + len(lines)))
        self._text(1, receiver)
        self._text(2, street)
        for line in lines:
            self._text(9, line)
        return self._out.getvalue()


class LabelPrinter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._writer = LabelWriter()

    @subscribe("/Parcels/Label")
    def on_label(self, receiver: str, street: str, lines: list[str]) -> dict[str, object]:
        label = self._writer.render(receiver.strip(), street.strip(), lines)
        return {"bytes": len(label), "crc": f"{zlib.crc32(label):08x}", "data": label.hex()}
