"""Alerts."""

import mailer


def level(n):
    return "high" if n > 3 else "low"
