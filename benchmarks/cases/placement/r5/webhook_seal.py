# pure
"""Keeps keyed digests that are prepared once; every event works on a copy of them."""
import hashlib
import hmac
import json
from typing import Any

from graphbus_core import GraphBusNode, subscribe

KEYS = {"k1": b"first secret of the example", "k2": b"second secret of the example"}
CURRENT = "k2"


class Sealer:
    def __init__(self, keys: dict[str, bytes]) -> None:
        self._prepared = {name: hmac.new(key, b"webhook:v1:", hashlib.sha256) for name, key in keys.items()}

    def seal(self, name: str, payload: bytes) -> str:
        digest = self._prepared[name].copy()
        digest.update(len(payload).to_bytes(4, "big"))
        digest.update(payload)
        return f"{name}={digest.hexdigest()[:32]}"

    def check(self, seal: str, payload: bytes) -> bool:
        name, _, _ = seal.partition("=")
        return name in self._prepared and hmac.compare_digest(self.seal(name, payload), seal)


SEALER = Sealer(KEYS)


def canonical(body: dict[str, Any]) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()


class WebhookSeal(GraphBusNode):
    """Signs what goes out and checks what comes in."""

    @subscribe("/Hook/Out")
    def on_out(self, target: str, body: dict[str, Any]) -> dict[str, str]:
        return {"target": target, "signature": SEALER.seal(CURRENT, canonical(body))}

    @subscribe("/Hook/In")
    def on_in(self, signature: str, body: dict[str, Any]) -> str:
        if SEALER.check(signature, canonical(body)):
            return "accepted" if signature.startswith(CURRENT) else "accepted, old key"
        return "forged"
