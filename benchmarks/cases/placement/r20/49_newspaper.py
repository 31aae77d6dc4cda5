# stateful
"""Edits agency reports; the decorator lets the same headline through only once."""
import functools
import re
import unicodedata
from typing import Any, Callable

from graphbus_core import GraphBusNode, subscribe

DESKS = {
    "sport": {"goal", "match", "league", "coach"},
    "economy": {"bank", "shares", "prices", "tax"},
    "local": {"mayor", "tram", "school", "council"},
}
SPACES = re.compile(r"\s+")


def fingerprint(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return " ".join(sorted(set(re.findall(r"[a-z]{4,}", plain))))


def without_repeats(key: Callable[..., str]) -> Callable:
    def decorate(handler: Callable[..., dict]) -> Callable[..., dict]:
        shown: dict[str, str] = {}

        @functools.wraps(handler)
        def wrapper(self: Any, agency: str, headline: str, body: str) -> dict:
            first = shown.setdefault(key(headline), agency)
            if first != agency:
                return {"print": False, "because": f"already from {first}"}
            return handler(self, agency, headline, body)

        return wrapper

    return decorate


def desk(words: set[str]) -> str:
    hits = {name: len(words & keywords) for name, keywords in DESKS.items()}
    best = max(hits, key=lambda name: (hits[name], name))
    return best if hits[best] else "miscellany"


class NewsDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.line_width = 34

    @subscribe("/Newspaper/Report")
    @without_repeats(fingerprint)
    def on_report(self, agency: str, headline: str, body: str) -> dict[str, object]:
        text = SPACES.sub(" ", body).strip()
        words = set(re.findall(r"[a-z]+", f"{headline} {text}".lower()))
        lines = -(-len(text) // self.line_width)
        return {"print": True, "desk": desk(words), "lines": lines, "byline": f"({agency.lower()})"}
