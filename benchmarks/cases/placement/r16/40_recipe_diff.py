# pure
"""Keeps a matcher, but both of its sides are set by every event before it is asked."""
import difflib
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from typing import Iterable

from graphbus_core import GraphBusNode, subscribe

UNITS = {"g": Fraction(1), "kg": Fraction(1000), "dag": Fraction(10), "pinch": Fraction(1, 2)}


@dataclass(frozen=True, order=True)
class Ingredient:
    name: str
    grams: Fraction

    @classmethod
    def parse(cls, text: str) -> "Ingredient":
        amount, unit, *words = text.split()
        plain = unicodedata.normalize("NFKD", " ".join(words)).encode("ascii", "ignore").decode()
        return cls(plain.casefold(), Fraction(amount) * UNITS[unit])

    def __str__(self) -> str:
        return f"{self.name} {float(self.grams):g}g"


def parsed(lines: Iterable[str], problems: list[str]) -> list[Ingredient]:
    result = []
    for line in lines:
        try:
            result.append(Ingredient.parse(line))
        except (ValueError, KeyError, ZeroDivisionError):
            problems.append(line)
    return sorted(result)


class RecipeDiff(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._matcher = difflib.SequenceMatcher(autojunk=False)

    @subscribe("/Recipe/Revised")
    def on_revision(self, before: list[str], after: list[str]) -> dict[str, object]:
        problems: list[str] = []
        old, new = parsed(before, problems), parsed(after, problems)
        self._matcher.set_seqs([item.name for item in old], [item.name for item in new])
        removed, added, changed = [], [], []
        for tag, i1, i2, j1, j2 in self._matcher.get_opcodes():
            if tag == "equal":
                changed += [f"{a} > {b}" for a, b in zip(old[i1:i2], new[j1:j2]) if a != b]
            else:
                removed += map(str, old[i1:i2])
                added += map(str, new[j1:j2])
        likeness = round(self._matcher.ratio(), 3)
        return {"removed": removed, "added": added, "changed": changed, "likeness": likeness, "unread": problems}
