# pure
"""Structural pattern matching on the event alone."""
from collections.abc import Mapping
from typing import Any

from graphbus_core import GraphBusNode, subscribe

_MAIN_BRANCHES = frozenset({"refs/heads/main", "refs/heads/master"})


def route(body: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    match body:
        case {"deleted": True, "ref": str(ref)}:
            return "cleanup", {"ref": ref}
        case {"ref": str(ref), "commits": [_, *_] as commits} if ref in _MAIN_BRANCHES:
            return "release", {"commits": len(commits)}
        case {"ref": str(ref), "commits": [*commits]}:
            return "build", {"ref": ref, "commits": len(commits)}
        case {"action": "opened" | "reopened", "pull_request": {"number": int(number)}}:
            return "review", {"number": number}
        case {"action": str(action)}:
            return "ignore", {"action": action}
        case _:
            return "unknown", {"keys": sorted(body)}


class WebhookRouter(GraphBusNode):
    @subscribe("/Webhook/Received")
    def on_event(self, delivery: str, body: dict[str, Any]) -> dict[str, Any]:
        queue, payload = route(body)
        return {"delivery": delivery, "queue": queue, "payload": payload}
