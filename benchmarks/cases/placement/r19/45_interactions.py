# pure
"""It remembers pairs it has already looked up, which saves time and changes no answer."""
from graphbus_core import GraphBusNode, subscribe


class Lookup:
    """Base class that remembers what its find() has found."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], int] = {}
        self._misses = 0

    def find(self, first: str, second: str) -> int:
        raise NotImplementedError

    def severity(self, first: str, second: str) -> int:
        key = (first, second) if first < second else (second, first)
        if key not in self._known:
            self._misses += 1
            if len(self._known) > 500:
                self._known.clear()
            self._known[key] = self.find(*key)
        return self._known[key]


class GroupLookup(Lookup):
    groups = {"warfarin": "anticoagulant", "ibuprofen": "nsaid", "aspirin": "nsaid",
              "sertraline": "ssri", "ramipril": "ace", "potassium": "mineral"}
    table = {("anticoagulant", "nsaid"): 3, ("ace", "mineral"): 2, ("nsaid", "ssri"): 2,
             ("ace", "nsaid"): 1, ("nsaid", "nsaid"): 1}

    def find(self, first: str, second: str) -> int:
        pair = sorted((self.groups.get(first, "?"), self.groups.get(second, "?")))
        return self.table.get((pair[0], pair[1]), 0)


class InteractionCheck(GraphBusNode):
    words = ("none", "note", "caution", "do not combine")

    def __init__(self) -> None:
        super().__init__()
        self._lookup = GroupLookup()

    @subscribe("/Clinic/Medication")
    def on_medication(self, drugs: list[str]) -> dict[str, object]:
        names = sorted({drug.strip().lower() for drug in drugs})
        found: list[str] = []
        worst = 0
        for position, first in enumerate(names):
            for second in names[position + 1:]:
                level = self._lookup.severity(first, second)
                worst = max(worst, level)
                if level:
                    found.append(f"{first}+{second}: {self.words[level]}")
        return {"worst": self.words[worst], "pairs": found}
