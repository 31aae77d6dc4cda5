"""Refunds."""

from models import Money


def reason(text):
    return text.strip() or "none"


def refund(cents):
    return Money(-cents)
