# pure
"""Compares words with a fixed vocabulary; the matcher is reused but both of its sequences are set before every use."""
import unicodedata
from difflib import SequenceMatcher

from graphbus_core import GraphBusNode, subscribe

VOCABULARY = ("accounting", "backup", "calendar", "database", "deployment", "email", "invoice",
              "kubernetes", "monitoring", "network", "payment", "printer", "security", "storage")
SYNONYMS = {"k8s": "kubernetes", "db": "database", "mail": "email", "bill": "invoice"}


def _fold(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in decomposed if c.isalnum())


class TagSuggestions(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._matcher = SequenceMatcher(autojunk=False)

    def _score(self, word: str, tag: str) -> float:
        self._matcher.set_seqs(word, tag)
        if self._matcher.real_quick_ratio() < 0.6 or self._matcher.quick_ratio() < 0.6:
            return 0.0
        return round(self._matcher.ratio(), 3)

    def _best(self, word: str) -> tuple[str, float] | None:
        if word in SYNONYMS:
            return SYNONYMS[word], 1.0
        tag, score = max(((t, self._score(word, t)) for t in VOCABULARY), key=lambda p: (p[1], p[0]))
        return (tag, score) if score >= 0.6 else None

    @subscribe("/Tickets/Tags")
    def on_tags(self, ticket: int, words: list[str]) -> dict:
        suggestions: dict[str, float] = {}
        unknown = []
        for word in filter(None, map(_fold, words)):
            best = self._best(word)
            if best is None:
                unknown.append(word)
            else:
                suggestions[best[0]] = max(best[1], suggestions.get(best[0], 0.0))
        return {"ticket": ticket, "tags": dict(sorted(suggestions.items())), "unknown": unknown}
