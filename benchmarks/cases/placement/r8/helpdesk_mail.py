# stateful
"""Keeps the next number as a class variable of the ticket, raised by every ticket that is made."""
from dataclasses import dataclass, field
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe

KEYWORDS = {
    "network": ("wifi", "vpn", "router", "dns"),
    "hardware": ("screen", "laptop", "printer", "battery"),
    "account": ("password", "login", "locked"),
}


def queue_for(text: str) -> str:
    lowered = text.lower()
    scores = {name: sum(word in lowered for word in words) for name, words in KEYWORDS.items()}
    best = max(scores, key=lambda name: (scores[name], name))
    return best if scores[best] else "general"


@dataclass
class Ticket:
    prefix: ClassVar[str] = "HD"
    upcoming: ClassVar[int] = 1000

    subject: str
    queue: str
    number: int = field(init=False)

    def __post_init__(self) -> None:
        self.number = Ticket.upcoming
        type(self).upcoming += 1

    @property
    def reference(self) -> str:
        return f"{self.prefix}-{self.number}"


class HelpdeskMail(GraphBusNode):
    """Opens helpdesk tickets from mails."""

    @subscribe("/Helpdesk/Mail")
    def on_mail(self, sender: str, subject: str, text: str) -> dict[str, str]:
        ticket = Ticket(subject.strip() or "(none)", queue_for(f"{subject} {text}"))
        reply = f"Re: [{ticket.reference}] {ticket.subject}"
        return {"to": sender, "queue": ticket.queue, "subject": reply}
