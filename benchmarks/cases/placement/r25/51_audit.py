# stateful
"""Keeps a hash object that goes on over all records, so that each seal covers the former ones."""
import base64
import hashlib
import hmac
import json

from graphbus_core import GraphBusNode, subscribe

SECRET = b"rotate-me"


def canonical(record: dict) -> bytes:
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def short(digest: bytes, size: int = 10) -> str:
    return base64.b32encode(digest[:size]).decode("ascii").rstrip("=").lower()


class AuditTrail(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._mac = hmac.new(SECRET, digestmod=hashlib.sha256)

    def seal(self, payload: bytes) -> str:
        self._mac.update(len(payload).to_bytes(4, "big"))
        self._mac.update(payload)
        return short(self._mac.digest())

    @subscribe("/audit/record")
    def on_record(self, user: str, action: str) -> dict[str, str]:
        record = {"user": user, "action": action}
        return {**record, "seal": self.seal(canonical(record))}
