# pure
"""Keeps only keyed hash objects that are copied before anything is fed to them."""
import hashlib
import hmac
from urllib.parse import parse_qsl, quote, urlsplit

from graphbus_core import GraphBusNode, subscribe

KEYS = {
    "2022": b"old-but-valid",
    "2023": b"correct horse battery staple",
}
PRIMED = {key_id: hmac.new(secret, b"v1\n", hashlib.sha256) for key_id, secret in KEYS.items()}
UNSIGNED = frozenset({"sig", "key", "utm_source", "utm_medium"})


def canonical(url: str) -> bytes:
    parts = urlsplit(url)
    pairs = sorted((name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name not in UNSIGNED)
    query = "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in pairs)
    return f"{(parts.hostname or '').lower()}\n{parts.path or '/'}\n{query}".encode()


def signature(key_id: str, method: str, url: str, body: str) -> str:
    mac = PRIMED[key_id].copy()
    mac.update(method.upper().encode() + b"\n")
    mac.update(canonical(url) + b"\n")
    mac.update(hashlib.sha256(body.encode()).digest())
    return mac.hexdigest()[:40]


class SignatureVerifier(GraphBusNode):
    @subscribe("/request/sign")
    def on_sign(self, method: str, url: str, body: str = "") -> dict[str, str]:
        newest = max(KEYS)
        return {"key": newest, "sig": signature(newest, method, url, body)}

    @subscribe("/request/verify")
    def on_verify(self, method: str, url: str, body: str, key: str, sig: str) -> dict[str, object]:
        if key not in PRIMED:
            return {"valid": False, "reason": "unknown key"}
        expected = signature(key, method, url, body)
        if not hmac.compare_digest(expected, sig):
            return {"valid": False, "reason": "signature"}
        return {"valid": True, "renew": key != max(KEYS)}
