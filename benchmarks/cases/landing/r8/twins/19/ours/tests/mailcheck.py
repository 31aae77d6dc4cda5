"""Helpers for tests about mails."""


def has_mail(outbox, to, subject):
    """Whether there is exactly one mail of that subject to that address."""
    return len([m for m in outbox.mails if m.to == to and m.subject == subject]) == 1


def check_mail(outbox, to, subject):
    """There is exactly one mail of that subject to that address."""
    assert has_mail(outbox, to, subject), (to, subject, outbox.mails)
