# stateful
"""One compressor serves the whole stream, so the bytes of a block depend on the blocks that went before."""
from __future__ import annotations

import base64
import json
import zlib

from graphbus_core import GraphBusNode, subscribe

UNITS = {"rpm": 1, "oil": 10, "water": 10, "fuel": 100}
LINK_LIMIT = 96


def quantise(sample: dict[str, float]) -> dict[str, int]:
    return {name: round(value * UNITS[name]) for name, value in sorted(sample.items()) if name in UNITS}


def frame(engine: str, sample: dict[str, float]) -> bytes:
    return json.dumps([engine, quantise(sample)], separators=(",", ":")).encode()


class Link:
    def __init__(self, level: int = 9) -> None:
        packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
        self._steps = (packer.compress, lambda _: packer.flush(zlib.Z_SYNC_FLUSH))

    def pack(self, data: bytes) -> bytes:
        return b"".join(step(data) for step in self._steps).removesuffix(b"\x00\x00\xff\xff")


class Telemetry(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.link = Link()

    @subscribe("/Ship/Engine")
    def on_engine(self, engine: str, sample: dict[str, float]) -> dict[str, object]:
        plain = frame(engine, sample)
        packed = self.link.pack(plain)
        return {
            "payload": base64.b85encode(packed).decode(),
            "ratio": round(len(packed) / len(plain), 2),
            "fits": len(packed) <= LINK_LIMIT,
        }
