"""Refunds."""


def reason(text):
    return text.strip() or "none"
