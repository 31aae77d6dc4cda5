# stateful
"""Keeps the previous page as the second sequence of a difflib matcher, which is there for its speed."""
import re
from difflib import SequenceMatcher

from graphbus_core import GraphBusNode, subscribe

TAG = re.compile(r"<[^>]*>")
NUMBER = re.compile(r"\d+")


def visible_words(html: str) -> list[str]:
    text = TAG.sub(" ", html)
    return NUMBER.sub("#", text).lower().split()


class Similarity:
    """Looks up one page against the page that is indexed."""

    def __init__(self) -> None:
        self._matcher = SequenceMatcher(autojunk=False)

    def ratio(self, words: list[str]) -> float:
        self._matcher.set_seq1(words)
        if self._matcher.real_quick_ratio() < 0.2:
            value = 0.0
        else:
            value = self._matcher.ratio()
        self._matcher.set_seq2(words)
        return value


class PageWatch(GraphBusNode):
    """Says whether a fetched page is news or only a reload."""

    def __init__(self) -> None:
        super().__init__()
        self._similarity = Similarity()

    @subscribe("/Watch/Page")
    def on_page(self, url: str, html: str) -> dict[str, object]:
        ratio = self._similarity.ratio(visible_words(html))
        return {"url": url, "news": ratio < 0.8, "ratio": round(ratio, 3)}
