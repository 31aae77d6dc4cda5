"""Refunds."""

from models import Item


def reason(text):
    return text.strip() or "none"


def refund(name):
    return Item(name, -1)
