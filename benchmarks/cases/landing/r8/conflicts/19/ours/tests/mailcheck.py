"""Helpers for tests about mails."""


def check_mail(outbox, to, subject):
    """Whether there is exactly one mail of that subject to that address."""
    hits = [m for m in outbox.mails if m.to == to and m.subject == subject]
    return len(hits) == 1
