# pure
"""A pipe of generator filters is built from functions for each event; the patterns are compiled constants."""
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from graphbus_core import GraphBusNode, subscribe

SMALL = frozenset("a an and at by for in of on or the to with".split())
WORD = re.compile(r"[\w'’-]+")

Filter = Callable[[Iterable[str]], Iterator[str]]


class Pipe:
    def __init__(self, *filters: Filter) -> None:
        self.filters = filters

    def __or__(self, other: Filter) -> "Pipe":
        return Pipe(*self.filters, other)

    def __call__(self, words: Iterable[str]) -> list[str]:
        for step in self.filters:
            words = step(words)
        return list(words)


def lowered(words: Iterable[str]) -> Iterator[str]:
    return (w.lower() for w in words)


def titled(words: Iterable[str]) -> Iterator[str]:
    for place, word in enumerate(words):
        yield word if place and word in SMALL else word[:1].upper() + word[1:]


def ascii_only(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        flat = unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode()
        if kept := re.sub(r"[^a-z0-9]", "", flat):
            yield kept


def unique(words: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for word in words:
        if word not in seen:
            seen.add(word)
            yield word


def at_most(count: int, words: Iterable[str]) -> Iterator[str]:
    for place, word in enumerate(words):
        if place >= count:
            return
        yield word


HEADLINE = Pipe(lowered) | titled
SLUG = Pipe(lowered) | ascii_only | unique | partial(at_most, 6)


class HeadlineDesk(GraphBusNode):
    @subscribe("/News/Draft")
    def on_draft(self, text: str, section: str) -> dict[str, str]:
        words = WORD.findall(text)
        slug = "-".join(SLUG(words)) or "untitled"
        return {"headline": " ".join(HEADLINE(words)), "path": f"/{section.lower()}/{slug}"}
