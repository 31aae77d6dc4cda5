from tickets.refs import TICKET


def tickets_of(commits):
    """Tickets that a release's commit messages name, each once, in order."""
    seen = {}
    for message in commits:
        for ticket in TICKET.findall(message):
            seen.setdefault(ticket, len(seen))
    return list(seen)
