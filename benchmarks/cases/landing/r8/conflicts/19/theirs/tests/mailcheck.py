"""Helpers for tests about mails."""


def check_mail(outbox, to, subject):
    """There is exactly one mail of that subject to that address."""
    hits = [m for m in outbox.mails if m.to == to and m.subject == subject]
    assert len(hits) == 1, (to, subject, outbox.mails)
