# stateful
"""The buffer is rewound but not cut: the tail of a longer waybill stays behind a shorter one."""
import io
import struct

from graphbus_core import GraphBusNode, subscribe


class Encoder:
    def __init__(self, stream: io.BytesIO) -> None:
        self.stream = stream

    def text(self, value: str) -> None:
        raw = value.encode("utf-8")
        self.stream.write(struct.pack(">H", len(raw)) + raw)

    def number(self, value: int) -> None:
        self.stream.write(struct.pack(">I", value))


class WaybillBytes(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._stream = io.BytesIO()

    @subscribe("/Waybill/Encode")
    def on_waybill(self, origin: str, target: str, grams: list[int]) -> dict[str, object]:
        self._stream.seek(0)
        encoder = Encoder(self._stream)
        encoder.text(origin)
        encoder.text(target)
        for weight in grams:
            encoder.number(weight)
        packet = self._stream.getvalue()
        return {"length": len(packet), "hex": packet.hex()}
