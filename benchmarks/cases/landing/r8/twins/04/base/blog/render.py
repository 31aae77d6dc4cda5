"""Pages as text."""
from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from blog.text import teaser
from blog.urls import post_url, tag_url


@dataclass(frozen=True)
class Post:
    title: str
    day: dt.date
    body: str
    tags: tuple[str, ...] = field(default=())


def index_entry(post: Post) -> str:
    tags = " ".join(tag_url(t) for t in post.tags)
    return f"{post_url(post.title, post.day)} {teaser(post.body)} {tags}".rstrip()
