# pure
"""The keyed hash is begun once for each customer, and every event goes on from a copy of it."""
import hashlib
import hmac
import json

from graphbus_core import GraphBusNode, subscribe

KEYS = {"acme": b"k-13-acme", "globex": b"k-77-globex"}


class WebhookSign(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._begun: dict[str, hmac.HMAC] = {}

    def _mac(self, customer: str) -> hmac.HMAC:
        mac = self._begun.get(customer)
        if mac is None:
            mac = hmac.new(KEYS[customer], digestmod=hashlib.sha256)
            mac.update(b"v1\n" + customer.encode() + b"\n")
            self._begun[customer] = mac
        return mac.copy()

    @subscribe("/webhook/send")
    def on_send(self, customer: str, event: str, body: dict[str, object]) -> dict[str, str]:
        if customer not in KEYS:
            return {"error": f"no key for {customer}"}
        raw = json.dumps(body, sort_keys=True, separators=(",", ":"))
        mac = self._mac(customer)
        mac.update(event.encode() + b"\n")
        mac.update(raw.encode())
        return {"event": event, "body": raw, "signature": "v1=" + mac.hexdigest()}
