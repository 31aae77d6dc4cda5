# stateful
"""The default factory of the dataclass is the next of a count, so tickets are numbered in the order they arrive."""
import itertools
import re
from dataclasses import asdict, dataclass, field
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Urgency(str, Enum):
    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


WORDS = {
    "down": Urgency.HIGH,
    "outage": Urgency.HIGH,
    "typo": Urgency.LOW,
    "colour": Urgency.LOW,
}


PRODUCTS = {
    "billing": re.compile(r"\b(?:invoice|refund|charged?)\b", re.I),
    "login": re.compile(r"\b(?:password|log ?in|2fa)\b", re.I),
    "hosting": re.compile(r"\b(?:site|server|down|outage)\b", re.I),
}
HOURS = {Urgency.HIGH: 2, Urgency.NORMAL: 24, Urgency.LOW: 96}
REPLY_PREFIX = re.compile(r"^(?:(?:re|aw|fwd?)\s*:\s*)+", re.I)


@dataclass
class Ticket:
    reporter: str
    subject: str
    urgency: Urgency
    reference: int = field(default_factory=itertools.count(1000).__next__)
    tags: list[str] = field(default_factory=list)


def tidy(subject: str) -> str:
    text = REPLY_PREFIX.sub("", subject.strip())
    return text[:1].upper() + text[1:] if text else "(no subject)"


def products(subject: str) -> list[str]:
    return [name for name, pattern in PRODUCTS.items() if pattern.search(subject)]


def judge(subject: str) -> Urgency:
    for word in subject.lower().split():
        if word in WORDS:
            return WORDS[word]
    return Urgency.NORMAL


class HelpDesk(GraphBusNode):
    @subscribe("/support/request")
    def on_request(self, reporter: str, subject: str) -> dict[str, object]:
        ticket = Ticket(reporter=reporter.lower(), subject=tidy(subject), urgency=judge(subject))
        ticket.tags += products(subject)
        if "@" not in reporter:
            ticket.tags.append("anonymous")
        answer = asdict(ticket)
        answer["urgency"] = ticket.urgency.value
        answer["answer_within_hours"] = HOURS[ticket.urgency]
        return answer
