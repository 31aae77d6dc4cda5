"""Columns for the board."""
from __future__ import annotations

from collections.abc import Iterable

from desk.ticket import State, Ticket


def columns(tickets: Iterable[Ticket]) -> dict[str, list[str]]:
    board: dict[str, list[str]] = {s.value: [] for s in State}
    for ticket in tickets:
        board[ticket.state.value].append(ticket.title)
    return board
