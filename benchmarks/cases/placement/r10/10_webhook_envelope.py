# stateful
"""Keeps the headers of earlier envelopes in the mutable default of the constructor."""
from __future__ import annotations

import json
from typing import Any

from graphbus_core import GraphBusNode, subscribe

CONTENT_TYPES = {"json": "application/json", "form": "application/x-www-form-urlencoded", "text": "text/plain"}


class Envelope:
    """What we hand to the delivery client."""

    def __init__(self, url: str, body: str, headers: dict[str, str] = {}) -> None:
        self.url = url
        self.body = body
        self.headers = headers

    def with_header(self, name: str, value: str) -> Envelope:
        self.headers[name.lower()] = value
        return self

    def dump(self) -> dict[str, Any]:
        return {"url": self.url, "headers": dict(sorted(self.headers.items())), "size": len(self.body)}


def encode(payload: dict[str, Any], fmt: str) -> str:
    match fmt:
        case "json":
            return json.dumps(payload, sort_keys=True, separators=(",", ":"))
        case "form":
            return "&".join(f"{key}={payload[key]}" for key in sorted(payload))
        case _:
            return "\n".join(f"{key}: {payload[key]}" for key in sorted(payload))


class WebhookDelivery(GraphBusNode):
    BASE = "https://hooks.example.test"

    @subscribe("/webhook/prepare")
    def prepare(self, hook: str, payload: dict[str, Any], fmt: str, trace: str | None = None, secret: str | None = None) -> dict[str, Any]:
        envelope = Envelope(f"{self.BASE}/{hook}", encode(payload, fmt))
        envelope.with_header("Content-Type", CONTENT_TYPES.get(fmt, CONTENT_TYPES["text"]))
        if trace:
            envelope.with_header("X-Trace", trace)
        if secret:
            envelope.with_header("X-Signature-Hint", secret[-4:])
        return envelope.dump()
