# pure
"""Counts all rounds of one event in local counters."""
from collections import Counter

from graphbus_core import GraphBusNode, subscribe


def parse(ballot: str) -> list[str]:
    return ballot.split(">") if ballot else []


class Election:
    def __init__(self, ballots: list[list[str]]) -> None:
        self.ballots = ballots
        self.out: set[str] = set()
        self.rounds: list[dict[str, int]] = []

    def count(self) -> Counter:
        tally: Counter = Counter()
        for ballot in self.ballots:
            choice = next((c for c in ballot if c not in self.out), None)
            if choice is not None:
                tally[choice] += 1
        self.rounds.append(dict(sorted(tally.items())))
        return tally

    def run(self) -> str | None:
        while tally := self.count():
            best = max(sorted(tally), key=tally.__getitem__)
            if tally[best] * 2 > tally.total() or len(tally) == 1:
                return best
            self.out.add(min(sorted(tally), key=tally.__getitem__))
        return None


class CountingHall(GraphBusNode):
    @subscribe("/Count")
    def on_count(self, ballots: list[str], seat: str) -> dict[str, object]:
        election = Election([parse(b) for b in ballots])
        winner = election.run()
        return {"seat": seat, "winner": winner, "rounds": election.rounds, "out": sorted(election.out)}
