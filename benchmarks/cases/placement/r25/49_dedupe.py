# stateful
"""Keeps the fingerprints of passed messages in the set of a closure."""
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe

Predicate = Callable[[str], bool]


def normalise(text: str) -> str:
    return " ".join(text.casefold().split())


def unique(key: Callable[[str], str]) -> Predicate:
    known = set()
    remember = known.add

    def fresh(text: str) -> bool:
        k = key(text)
        # add() gives None, hence the "not"
        return k not in known and not remember(k)

    return fresh


def every(*predicates: Predicate) -> Predicate:
    return lambda text: all(p(text) for p in predicates)


def longer_than(n: int) -> Predicate:
    return lambda text: len(text) > n


wanted = every(longer_than(2), unique(normalise))


class MailGate(GraphBusNode):
    @subscribe("/mail/subject")
    def gate(self, subject: str) -> dict[str, object]:
        return {"subject": subject, "forward": True} if wanted(subject) else {"forward": False}
