"""Functional TypedDict with keys that are no identifiers (dashes, a keyword, a leading @)."""
from typing import Any

from typing_extensions import NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe

WebhookHeaders = TypedDict(
    "WebhookHeaders",
    {
        "content-type": str,
        "x-delivery-id": str,
        "x-retry": NotRequired[int],
    },
)
Webhook = TypedDict(
    "Webhook",
    {"@type": str, "class": int, "headers": WebhookHeaders, "from": "Sender", "body": NotRequired[Any]},
)
Sender = TypedDict("Sender", {"ip": str, "user-agent": str}, total=False)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Webhook) -> None:
        self.got = payload


GOOD = [
    {"@type": "push", "class": 1, "headers": {"content-type": "text/plain", "x-delivery-id": "9"}, "from": {}},
    {
        "@type": "push",
        "class": 2,
        "headers": {"content-type": "text/plain", "x-delivery-id": "9", "x-retry": 3},
        "from": {"user-agent": "curl"},
        "body": [1, {"a": None}],
    },
]
BAD = [
    {"@type": "push", "class": 1, "headers": {"content_type": "text/plain", "x_delivery_id": "9"}, "from": {}},
    {"type": "push", "class": 1, "headers": {"content-type": "a", "x-delivery-id": "9"}, "from": {}},
    {"@type": "push", "class": 1, "headers": {"content-type": "a", "x-delivery-id": "9"}},
    {"@type": "push", "class": 1, "headers": {"content-type": "a", "x-delivery-id": "9"}, "from": {"ip": 127}},
    {"@type": "push", "class": 1, "headers": {"content-type": "a", "x-delivery-id": "9", "x-retry": "x"}, "from": {}},
]
