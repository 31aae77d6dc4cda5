"""Pages."""

import settings


def title():
    return settings.NAME


def pages(n):
    return -(-n // settings.LIMIT)
