# pure
"""Keeps nothing: each payload gets a digest object of its own, copied from a salted one that is never updated."""
import hashlib
import hmac
import json
from typing import Any

from graphbus_core import GraphBusNode, subscribe

KEYS = {"v1": b"first-shared-key", "v2": b"second-shared-key"}
VOLATILE = ("sent_at", "trace", "attempt")


def stripped(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: stripped(v) for k, v in sorted(value.items()) if k not in VOLATILE}
    if isinstance(value, (list, tuple)):
        return [stripped(v) for v in value]
    return value


class Signer:
    def __init__(self, keys: dict[str, bytes]) -> None:
        self._macs = {name: hmac.new(key, b"payload\0", hashlib.sha256) for name, key in keys.items()}

    def sign(self, version: str, data: bytes) -> str:
        mac = self._macs[version].copy()
        mac.update(data)
        return mac.hexdigest()[:24]


class PayloadDigest(GraphBusNode):
    """Signs webhooks and checks signatures."""

    def __init__(self) -> None:
        super().__init__()
        self.signer = Signer(KEYS)

    @subscribe("/Webhooks/Out")
    def on_out(self, version: str, body: dict[str, Any]) -> dict[str, str]:
        if version not in KEYS:
            return {"error": f"key {version}"}
        data = json.dumps(stripped(body), separators=(",", ":")).encode()
        return {"signature": f"{version}={self.signer.sign(version, data)}"}

    @subscribe("/Webhooks/In")
    def on_in(self, signature: str, raw: str) -> bool:
        version, _, digest = signature.partition("=")
        return version in KEYS and hmac.compare_digest(self.signer.sign(version, raw.encode()), digest)
