"""Queries."""

import settings


def rows(n):
    return min(n, settings.LIMIT)
