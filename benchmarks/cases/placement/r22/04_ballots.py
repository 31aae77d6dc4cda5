# stateful
"""The tally is kept by the method of an inherited mixin."""
from collections import Counter

from graphbus_core import GraphBusNode, subscribe


class Tally:
    """Anything that counts votes by precinct."""

    def tally(self, precinct: str, choice: str) -> Counter:
        try:
            counts = vars(self)["_counts"]
        except KeyError:
            counts = vars(self)["_counts"] = {}
        box = counts.setdefault(precinct, Counter())
        box.update([choice])
        return box


def parse(marks: str) -> list[str]:
    return [m for m in (part.strip() for part in marks.split(">")) if m]


def leader(counts: Counter) -> str:
    name, votes = min(counts.items(), key=lambda item: (-item[1], item[0]))
    return f"{name} ({votes})"


class Returning(Tally, GraphBusNode):
    @subscribe("/Ballot")
    def on_ballot(self, precinct: str, marks: str) -> dict[str, object]:
        ranking = parse(marks)
        if not ranking:
            return {"precinct": precinct, "valid": False}
        counts = self.tally(precinct, ranking[0])
        return {"precinct": precinct, "valid": True, "leads": leader(counts)}
