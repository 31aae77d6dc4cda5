"""Addresses of the pages."""
from __future__ import annotations

import datetime as dt

from blog.text import slugify


def post_url(title: str, day: dt.date) -> str:
    return f"/{day:%Y/%m}/{slugify(title)}/"


def tag_url(tag: str) -> str:
    return f"/tag/{slugify(tag)}/"
