"""Alerts."""

import mailer


def level(n):
    return "high" if n > 3 else "low"


def alert(n):
    return mailer.send("ops", level(n))
