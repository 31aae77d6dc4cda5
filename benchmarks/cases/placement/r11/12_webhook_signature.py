# pure
"""Signs a payload on a copy of a prepared hash; the prepared hash itself is never updated after start."""
import hashlib
import hmac
import json

from graphbus_core import GraphBusNode, subscribe

_ISSUER = b"hooks.v2:"
_KEYS = {"shop": b"k-7712", "ledger": b"k-0934", "crm": b"k-5561"}


def _canonical(payload: dict) -> bytes:
    return json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


class WebhookSignature(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._prepared = {name: hmac.new(key, _ISSUER, hashlib.sha256) for name, key in _KEYS.items()}
        self._etag = hashlib.sha1(_ISSUER)

    def _sign(self, target: str, body: bytes) -> str | None:
        prepared = self._prepared.get(target)
        if prepared is None:
            return None
        mac = prepared.copy()
        mac.update(body)
        return mac.hexdigest()[:24]

    def _tag(self, body: bytes) -> str:
        tag = self._etag.copy()
        tag.update(str(len(body)).encode())
        tag.update(body)
        return tag.hexdigest()[:10]

    @subscribe("/Hooks/Deliver")
    def on_deliver(self, target: str, payload: dict[str, str]) -> dict:
        body = _canonical(payload)
        signature = self._sign(target, body)
        headers = {"Content-Length": str(len(body)), "ETag": f'"{self._tag(body)}"'}
        if signature is not None:
            headers["X-Signature"] = f"sha256={signature}"
        return {"headers": headers, "deliver": signature is not None}

    @subscribe("/Hooks/Verify")
    def on_verify(self, target: str, payload: dict[str, str], signature: str) -> dict[str, bool]:
        expected = self._sign(target, _canonical(payload)) or ""
        return {"valid": hmac.compare_digest(expected, signature.removeprefix("sha256="))}
