# pure
"""Keeps answers in a dictionary that is asked first: the key holds all on which an answer depends."""
import difflib
import re
import string
from typing import Final

from graphbus_core import GraphBusNode, subscribe

GENRES: Final = ("baroque", "bebop", "blues", "chanson", "chorale", "country", "fado", "flamenco", "fugue", "gospel",
                 "highlife", "lied", "madrigal", "motet", "opera", "polka", "ragtime", "samba", "sonata", "tango")
SYNONYMS: Final = {"song": "lied", "dixie": "ragtime", "choral": "chorale"}
_memo: dict[tuple[str, bool], tuple[str, ...]] = {}
_SPLIT = re.compile(rf"[{re.escape(string.punctuation)}\s]+")


def guess(word: str, strict: bool) -> tuple[str, ...]:
    key = (word, strict)
    try:
        return _memo[key]
    except KeyError:
        pass
    if len(_memo) > 200:
        _memo.clear()
    if word in SYNONYMS:
        answer: tuple[str, ...] = (SYNONYMS[word],)
    else:
        answer = tuple(difflib.get_close_matches(word, GENRES, n=2, cutoff=0.9 if strict else 0.65))
    _memo[key] = answer
    return answer


class GenreLabels(GraphBusNode):
    """Puts what listeners typed into the shop's own genres."""

    @subscribe("/Music/Tagged")
    def on_tagged(self, album: str, tags: str, strict: bool) -> dict[str, object]:
        words = [word for word in _SPLIT.split(tags.lower()) if word]
        labels: list[str] = []
        unknown = 0
        for word in words:
            found = guess(word, strict)
            unknown += not found
            labels += [label for label in found if label not in labels]
        return {"album": album.strip(), "labels": labels, "unknown": unknown}
