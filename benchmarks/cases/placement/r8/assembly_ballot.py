# stateful
"""Keeps the votes on the members of an enumeration, which are single objects with attributes."""
import re
from enum import Enum

from graphbus_core import GraphBusNode, subscribe

BALLOT = re.compile(r"^\s*(?P<choice>[a-z]+)\s*(?:x\s*(?P<weight>[1-9]))?\s*$", re.IGNORECASE)


class Choice(Enum):
    YES = "yes"
    NO = "no"
    ABSTAIN = "abstain"

    def __init__(self, word: str) -> None:
        self.word = word
        self.weight = 0

    def add(self, weight: int) -> "Choice":
        self.weight += weight
        return self


def parse(ballot: str) -> tuple[Choice, int]:
    match = BALLOT.match(ballot)
    if match is None:
        raise ValueError(f"unreadable: {ballot!r}")
    return Choice(match["choice"].lower()), int(match["weight"] or 1)


def leading() -> str:
    best = max(Choice, key=lambda c: c.weight)
    return best.word


class AssemblyBallot(GraphBusNode):
    @subscribe("/Assembly/Ballot")
    def on_ballot(self, seat: int, ballot: str) -> dict[str, object]:
        try:
            choice, weight = parse(ballot)
        except ValueError as exc:
            return {"seat": seat, "error": str(exc)}
        choice.add(weight)
        return {"seat": seat, "choice": choice.word, "leading": leading()}
