"""Addresses of the pages."""
from __future__ import annotations

import datetime as dt
import re

from blog.text import plain

MAX_SLUG = 60


def slugify(title: str) -> str:
    """A title as it stands in an address, cut at a word."""
    slug = re.sub(r"[^a-z0-9]+", "-", plain(title).lower()).strip("-")
    if len(slug) > MAX_SLUG:
        slug = slug[:MAX_SLUG].rsplit("-", 1)[0]
    return slug


def post_url(title: str, day: dt.date) -> str:
    return f"/{day:%Y/%m}/{slugify(title)}/"


def tag_url(tag: str) -> str:
    return f"/tag/{slugify(tag)}/"
