# stateful
"""One deflate stream is flushed after every record and goes on, so later records refer back to earlier ones."""
import base64
import json
import zlib

from graphbus_core import GraphBusNode, subscribe


class Packer:
    def __init__(self, level: int = 6) -> None:
        self._deflate = zlib.compressobj(level, zlib.DEFLATED, -15)

    def pack(self, raw: bytes) -> bytes:
        return self._deflate.compress(raw) + self._deflate.flush(zlib.Z_SYNC_FLUSH)


class LogShipper(GraphBusNode):
    LEVELS = {"debug": 7, "info": 6, "warning": 4, "error": 3}

    def __init__(self) -> None:
        super().__init__()
        self._packer = Packer()

    @subscribe("/log/record")
    def on_record(self, service: str, level: str, text: str) -> dict[str, object]:
        record = {"s": service, "p": self.LEVELS.get(level, 6), "m": text}
        raw = json.dumps(record, separators=(",", ":"), sort_keys=True).encode()
        packed = self._packer.pack(raw)
        return {
            "chunk": base64.b64encode(packed).decode("ascii"),
            "bytes": len(raw),
            "crc": zlib.crc32(raw),
        }
