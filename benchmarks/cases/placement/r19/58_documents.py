# stateful
"""The list that lru_cache hands out is the cached list itself, and the handler appends to it."""
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import filterfalse

from graphbus_core import GraphBusNode, subscribe

REQUIRED = (
    ("car/*", "registration"),
    ("car/theft", "police report"),
    ("*/theft", "list of stolen things"),
    ("home/*", "photographs"),
    ("*/*", "claim form"),
)


@lru_cache(maxsize=None)
def required(product: str, kind: str) -> list[str]:
    case = f"{product}/{kind}"
    return [document for pattern, document in REQUIRED if fnmatchcase(case, pattern)]


def fold(text: str) -> str:
    return " ".join(text.casefold().split())


class DocumentCheck(GraphBusNode):
    large = 10_000

    @subscribe("/Insurer/NewClaims")
    def on_claim(self, product: str, kind: str, amount: int, received: list[str]) -> dict[str, object]:
        documents = required(fold(product), fold(kind))
        if amount >= self.large:
            documents.append("expert opinion")
        present = frozenset(map(fold, received))
        missing = list(filterfalse(present.__contains__, documents))
        return {"needed": len(documents), "missing": missing, "complete": not missing}
