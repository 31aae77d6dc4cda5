"""How much work lies on the desk."""
from __future__ import annotations

from collections.abc import Iterable

from desk.ticket import State, Ticket

WEIGHT = {
    State.NEW: 3,
    State.OPEN: 2,
    State.SOLVED: 1,
    State.CLOSED: 0,
}


def workload(tickets: Iterable[Ticket], now: int) -> int:
    """Weights of the tickets, doubled once a ticket is a week old."""
    total = 0
    for ticket in tickets:
        weight = WEIGHT.get(ticket.state, 1)
        total += weight * (2 if now - ticket.opened >= 7 else 1)
    return total


def desks_needed(tickets: Iterable[Ticket], now: int, per_desk: int = 10) -> int:
    return -(-workload(tickets, now) // per_desk)
