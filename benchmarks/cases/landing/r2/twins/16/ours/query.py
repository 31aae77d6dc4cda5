"""Queries."""

import settings


def rows(n):
    return min(n, settings.MAX_ROWS)
