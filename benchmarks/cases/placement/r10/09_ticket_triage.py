# pure
"""Keeps nothing: the strategies are plain functions in a table that never changes."""
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

WORD = re.compile(r"[a-z']+")
KEYWORDS = {
    "billing": {"invoice", "charge", "charged", "refund", "payment", "card"},
    "access": {"login", "password", "locked", "token", "mfa"},
    "outage": {"down", "unreachable", "timeout", "500", "error", "slow"},
}
STOP = frozenset("the a an is to of and i my it".split())


@dataclass
class Ticket:
    subject: str
    text: str
    plan: str
    words: Counter[str] = field(init=False)

    def __post_init__(self) -> None:
        found = WORD.findall(f"{self.subject} {self.text}".lower())
        self.words = Counter(word for word in found if word not in STOP)

    def score(self, topic: str) -> int:
        return sum(self.words[word] for word in KEYWORDS[topic])


def by_outage(ticket: Ticket) -> str:
    return "oncall" if ticket.plan == "enterprise" else "support-2"


def by_billing(ticket: Ticket) -> str:
    return "finance" if ticket.words["refund"] else "support-1"


ROUTES: dict[str, Callable[[Ticket], str]] = {
    "outage": by_outage,
    "billing": by_billing,
    "access": lambda ticket: "security" if ticket.words["mfa"] > 1 else "support-1",
}


class TicketTriage(GraphBusNode):
    default_queue = "support-1"

    @subscribe("/ticket/opened")
    def on_ticket(self, number: int, subject: str, text: str, plan: str = "basic") -> dict[str, object]:
        ticket = Ticket(subject, text, plan)
        scores = {topic: ticket.score(topic) for topic in KEYWORDS}
        topic = max(scores, key=lambda name: (scores[name], name))
        queue = ROUTES[topic](ticket) if scores[topic] else self.default_queue
        return {"ticket": number, "topic": topic if scores[topic] else "general", "queue": queue, "scores": scores}
