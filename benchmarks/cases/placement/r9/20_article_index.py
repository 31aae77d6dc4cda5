# pure
"""Counts the words of one article."""
import re
import unicodedata
from collections import Counter

from graphbus_core import GraphBusNode, subscribe

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
STOP = {"the", "a", "an", "and", "or", "of", "to", "in", "is", "it", "for", "on", "with", "as", "by"}
WORDS_PER_MINUTE = 220


def slug(title: str, limit: int = 48) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    joined = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
    if len(joined) <= limit:
        return joined
    return joined[:limit].rsplit("-", 1)[0]


def words(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(text)]


def keywords(found: list[str], count: int) -> list[str]:
    tally = Counter(word for word in found if word not in STOP and len(word) > 2)
    ranked = sorted(tally.items(), key=lambda pair: (-pair[1], pair[0]))
    return [word for word, _ in ranked[:count]]


class ArticleIndex(GraphBusNode):
    @subscribe("/Article/Published")
    def on_published(self, title: str, body: str) -> dict[str, object]:
        found = words(body)
        return {
            "slug": slug(title),
            "words": len(found),
            "minutes": max(1, round(len(found) / WORDS_PER_MINUTE)),
            "keywords": keywords(found, 5),
        }
