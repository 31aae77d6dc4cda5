"""Anchors for the headings of a post, and a table of contents."""
from __future__ import annotations

import re

from blog.text import plain, slugify

HEADING = re.compile(r"^(#{2,4}) +(.+?)\s*$", re.M)


def anchors(body: str) -> list[tuple[int, str, str]]:
    """(depth, title, anchor) of each heading, the anchors unique."""
    seen: dict[str, int] = {}
    found = []
    for marks, title in HEADING.findall(body):
        anchor = slugify(title) or "part"
        seen[anchor] = seen.get(anchor, 0) + 1
        if seen[anchor] > 1:
            anchor = f"{anchor}-{seen[anchor]}"
        found.append((len(marks) - 1, title, anchor))
    return found


def contents(body: str) -> str:
    return "\n".join(f"{'  ' * (d - 1)}- [{plain(t)}](#{a})" for d, t, a in anchors(body))
