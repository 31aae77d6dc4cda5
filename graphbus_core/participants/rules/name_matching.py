"""How alike two names are: an order among the choices of a question, and evidence of nothing."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def split_words(name: str) -> list[str]:
    """The words of a name, whatever parts them."""
    return [w for w in re.split(r"[_\-\s]+", _HUMP.sub("_", name).lower()) if w]


def measure_likeness(a: str, b: str) -> float:
    """How alike two names are, 0 to 1: by the words that they share, else by their letters."""
    words_a, words_b = ({w.rstrip("s") for w in split_words(n)} for n in (a, b))
    shared = len(words_a & words_b) / min(len(words_a), len(words_b)) if words_a and words_b else 0.0
    return max(shared * 0.95, SequenceMatcher(None, a.lower(), b.lower()).ratio())


def is_mentioned(name: str, text: object) -> bool:
    """Whether a text speaks of a name."""
    return isinstance(text, str) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
