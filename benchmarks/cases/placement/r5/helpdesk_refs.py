# stateful
"""Keeps the next reference of each queue in the cells of a closure made once at import."""
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

URGENT_WORDS = ("outage", "down", "security", "breach")


def reference_maker(prefix: str, start: int, width: int = 5) -> Callable[[], str]:
    upcoming = start

    def make() -> str:
        nonlocal upcoming
        text = f"{prefix}-{upcoming:0{width}d}"
        upcoming += 1
        return text

    return make


def pick_queue(subject: str, body: str) -> str:
    words = f"{subject} {body}".lower()
    if any(word in words for word in URGENT_WORDS):
        return "incident"
    if "invoice" in words or "refund" in words:
        return "billing"
    return "general"


QUEUES: dict[str, Callable[[], str]] = {
    "incident": reference_maker("INC", 100),
    "billing": reference_maker("BIL", 2000),
    "general": reference_maker("GEN", 1),
}


class HelpdeskRefs(GraphBusNode):
    """Gives incoming mail a queue and a reference for the reply's subject."""

    @subscribe("/Mail/In")
    def on_mail(self, sender: str, subject: str, body: str) -> dict[str, str]:
        queue = pick_queue(subject, body)
        reference = QUEUES[queue]()
        return {"to": sender, "queue": queue, "subject": f"[{reference}] {subject.strip()}"}
