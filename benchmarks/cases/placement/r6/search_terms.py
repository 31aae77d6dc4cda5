# pure
"""A default argument collects compiled patterns, each under the very text it was compiled from."""
import re

from graphbus_core import GraphBusNode, subscribe

STOP = frozenset("a an and of or the to in".split())


def compiled(term: str, whole: bool, ready: dict[tuple[str, bool], re.Pattern[str]] = {}) -> re.Pattern[str]:
    key = term, whole
    if key not in ready:
        body = r"\s+".join(map(re.escape, term.split()))
        ready[key] = re.compile(rf"\b{body}\b" if whole else body, re.IGNORECASE)
    return ready[key]


def split_query(query: str) -> list[str]:
    terms = [a or b for a, b in re.findall(r'"([^"]+)"|(\S+)', query)]
    return list(dict.fromkeys(t.lower() for t in terms if t.lower() not in STOP))


class SearchTerms(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/search/highlight")
    def on_highlight(self, query: str, text: str, whole: bool) -> dict[str, object]:
        spans: list[tuple[int, int]] = []
        missing = []
        for term in split_query(query):
            found = [m.span() for m in compiled(term, whole).finditer(text)]
            spans += found
            if not found:
                missing.append(term)
        spans.sort()
        return {"spans": spans, "missing": missing}
