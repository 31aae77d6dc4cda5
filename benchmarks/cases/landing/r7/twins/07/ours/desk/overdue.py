"""Tickets on which the customer waits for us."""
from datetime import timedelta

LIMIT = timedelta(hours=24)


def is_overdue(ticket, now):
    messages = ticket.messages()
    if not messages:
        return False
    last = max(messages, key=lambda m: m.sent)
    return last.author == "customer" and now - last.sent > LIMIT
