# pure
"""Keeps a compiled expression in a global that is filled at the first event, always with the same."""
import html
import re
import unicodedata
from collections import Counter

from graphbus_core import GraphBusNode, subscribe

BAD = ["spam", "scam", "free money", "click here", "lottery"]
LOOKALIKE = str.maketrans({"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "@": "a", "$": "s"})
_pattern: re.Pattern[str] | None = None
_compiled = 0


def pattern() -> re.Pattern[str]:
    global _pattern, _compiled
    if _pattern is None:
        parts = (r"\W*".join(map(re.escape, word.replace(" ", ""))) for word in sorted(BAD, key=len, reverse=True))
        _pattern = re.compile(rf"\b({'|'.join(parts)})\b")
        _compiled += 1
    return _pattern


def plain(text: str) -> str:
    text = unicodedata.normalize("NFKD", html.unescape(text)).casefold()
    text = "".join(ch for ch in text if not unicodedata.combining(ch))
    return text.translate(LOOKALIKE)


class Masker:
    def __init__(self) -> None:
        self.hits: Counter[str] = Counter()

    def __call__(self, found: re.Match[str]) -> str:
        word = re.sub(r"\W", "", found[0])
        self.hits[word] += 1
        return found[0][0] + "*" * (len(found[0]) - 1)


class AbuseFilter(GraphBusNode):
    @subscribe("/Forum/Posted")
    def on_posted(self, author: str, text: str) -> dict[str, object]:
        masker = Masker()
        cleaned = pattern().sub(masker, plain(text))
        score = sum(masker.hits.values()) * 10 + cleaned.count("!") // 3
        return {"author": author, "text": cleaned, "hits": dict(sorted(masker.hits.items())), "hold": score >= 20}
