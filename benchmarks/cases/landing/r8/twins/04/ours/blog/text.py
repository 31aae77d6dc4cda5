"""Helpers for text."""
from __future__ import annotations

import unicodedata


def plain(text: str) -> str:
    """`text` without accents and other marks."""
    parts = unicodedata.normalize("NFKD", text)
    return "".join(c for c in parts if not unicodedata.combining(c))


def slugify(title: str) -> str:
    """Moved to blog.urls; here for the plugins."""
    from blog.urls import slugify as moved

    return moved(title)


def teaser(body: str, words: int = 12) -> str:
    """The first words of a post."""
    parts = body.split()
    return " ".join(parts[:words]) + (" ..." if len(parts) > words else "")
