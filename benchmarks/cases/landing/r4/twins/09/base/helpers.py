"""Odds and ends."""
import re
from datetime import date


def slugify(title):
    """'Hello, World!' -> 'hello-world'."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def pretty(day: date):
    return f"{day.day} {day:%B %Y}"
