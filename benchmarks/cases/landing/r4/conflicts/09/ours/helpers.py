"""Odds and ends."""
from datetime import date


def pretty(day: date):
    return f"{day.day} {day:%B %Y}"
