# pure
"""The cache changes no answer: the same text always gives the same slug."""
import re
import unicodedata
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

_SPECIAL = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "đ": "d", "ł": "l", "&": " and "})
_RUNS = re.compile(r"[^a-z0-9]+")
_MAX = 48


@lru_cache(maxsize=2048)
def slugify(text: str) -> str:
    lowered = text.casefold().translate(_SPECIAL)
    plain = "".join(
        char
        for char in unicodedata.normalize("NFKD", lowered)
        if not unicodedata.combining(char)
    )
    slug = _RUNS.sub("-", plain).strip("-")
    if len(slug) <= _MAX:
        return slug
    head, dash, _ = slug[: _MAX + 1].rpartition("-")
    return head if dash else slug[:_MAX]


class Slugs(GraphBusNode):
    """Article addresses."""

    @subscribe("/Article/Titled")
    def on_event(self, section: str, title: str) -> dict[str, str]:
        slug = slugify(title) or "untitled"
        return {"path": f"/{slugify(section)}/{slug}"}
