# stateful
"""Keeps waiting samples in a heap and answers with the most urgent one, not with the one that came."""
import heapq
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

URGENCY = {"stat": 0, "ward": 5, "routine": 9}
BATCH = 3


@dataclass(order=True, frozen=True)
class Entry:
    rank: int
    sample: str
    bench: str = field(compare=False)


@dataclass
class Bench:
    name: str
    waiting: list[Entry] = field(default_factory=list)

    def take(self, entry: Entry) -> Entry:
        if len(self.waiting) < BATCH:
            heapq.heappush(self.waiting, entry)
            return min(self.waiting)
        return heapq.heappushpop(self.waiting, entry)


class Worklist(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.benches = {name: Bench(name) for name in ("chemistry", "haematology")}

    @subscribe("/Lab/SampleArrived")
    def on_arrival(self, sample: str, bench: str, urgency: str) -> dict[str, str]:
        target = self.benches.get(bench)
        if target is None:
            return {"next": sample, "bench": "manual"}
        entry = Entry(URGENCY.get(urgency, 9), sample, bench)
        return {"next": target.take(entry).sample, "bench": target.name}
