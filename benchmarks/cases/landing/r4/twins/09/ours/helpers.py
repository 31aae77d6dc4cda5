"""Odds and ends."""
from datetime import date

from text import slugify  # noqa: F401  moved, kept for importers


def pretty(day: date):
    return f"{day.day} {day:%B %Y}"
