# stateful
"""Keeps tags in the mutable default of a NamedTuple field, which all tickets share."""
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Ticket(NamedTuple):
    title: str
    priority: int = 3
    tags: list[str] = []


_WORDS = {"refund": "money", "password": "account", "crash": "bug", "slow": "performance"}


def classify(ticket: Ticket) -> Ticket:
    for word, tag in _WORDS.items():
        if word in ticket.title.lower():
            ticket.tags.append(tag)
    return ticket._replace(priority=1) if "bug" in ticket.tags else ticket


class TicketTagger(GraphBusNode):
    @subscribe("/Ticket/Opened")
    def on_event(self, title: str) -> dict[str, object]:
        ticket = classify(Ticket(title))
        return {"title": ticket.title, "priority": ticket.priority, "tags": sorted(ticket.tags)}
