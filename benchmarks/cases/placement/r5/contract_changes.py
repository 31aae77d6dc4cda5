# pure
"""Keeps a lazily compiled splitter, the same whenever it is made; both versions of a text come with the event."""
import re
from difflib import SequenceMatcher
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe


class Splitter:
    abbreviations = ("e.g.", "i.e.", "No.", "Art.", "para.")

    @cached_property
    def pattern(self) -> re.Pattern:
        guards = "".join(f"(?<!{re.escape(short)})" for short in self.abbreviations)
        return re.compile(guards + r"(?<=[.;!?])\s+(?=[A-Z(\d])")

    def __call__(self, text: str) -> list[str]:
        return [clause for clause in self.pattern.split(" ".join(text.split())) if clause]


def changes(old: list[str], new: list[str]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        change: dict[str, object] = {"kind": kind, "clause": a + 1, "old": old[a:b], "new": new[c:d]}
        if kind == "replace":
            change["minor"] = SequenceMatcher(None, " ".join(old[a:b]), " ".join(new[c:d])).ratio() > 0.9
        found.append(change)
    return found


class ContractChanges(GraphBusNode):
    """Lists what differs between two versions of a contract."""

    def __init__(self) -> None:
        super().__init__()
        self._clauses = Splitter()

    @subscribe("/Contract/Compare")
    def on_compare(self, contract: str, old: str, new: str) -> dict[str, object]:
        found = changes(self._clauses(old), self._clauses(new))
        return {"contract": contract, "changes": found, "review": not all(c.get("minor") for c in found)}
