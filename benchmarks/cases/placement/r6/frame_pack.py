# pure
"""Every frame is a deflate stream of its own, begun with the same preset dictionary."""
import base64
import json
import zlib

from graphbus_core import GraphBusNode, subscribe

COMMON = b'"temperature":"humidity":"battery":"device":"status":"ok""low""error"'


class FrameWriter:
    def __init__(self) -> None:
        self._deflate = zlib.compressobj(9, zlib.DEFLATED, -12, zdict=COMMON)
        self._parts: list[bytes] = []
        self.crc = 0
        self.size = 0

    def write(self, value: object) -> None:
        raw = json.dumps(value, sort_keys=True, separators=(",", ":")).encode() + b"\n"
        self.crc = zlib.crc32(raw, self.crc)
        self.size += len(raw)
        self._parts.append(self._deflate.compress(raw))

    def close(self) -> bytes:
        self._parts.append(self._deflate.flush())
        return b"".join(self._parts)


class FramePack(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/uplink/batch")
    def on_batch(self, device: str, samples: list[dict[str, object]]) -> dict[str, object]:
        writer = FrameWriter()
        writer.write({"device": device, "count": len(samples)})
        for sample in samples:
            writer.write(sample)
        data = writer.close()
        return {"frame": base64.b85encode(data).decode(), "crc": writer.crc, "raw": writer.size}
