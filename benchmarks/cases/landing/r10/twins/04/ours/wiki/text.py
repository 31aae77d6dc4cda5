"""Helpers for page text."""
from wiki.slugs import slugify  # noqa: F401


def summary(text, words=12):
    """The first words of a text, with an ellipsis when some are left out."""
    found = text.split()
    if len(found) <= words:
        return " ".join(found)
    return " ".join(found[:words]) + "\u2026"
