"""Helpers for page text."""
import re


def slugify(title):
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def summary(text, words=12):
    """The first words of a text, with an ellipsis when some are left out."""
    found = text.split()
    if len(found) <= words:
        return " ".join(found)
    return " ".join(found[:words]) + "\u2026"
