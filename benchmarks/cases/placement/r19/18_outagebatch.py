# stateful
"""The batcher is a coroutine that gathers messages until the district changes."""
from collections.abc import Generator
from itertools import chain, repeat

from graphbus_core import GraphBusNode, subscribe

Batch = list[tuple[str, int]]


def batches(limit: int) -> Generator[Batch, tuple[str, str, int], None]:
    batch: Batch = []
    current = ""
    finished: Batch = []
    while True:
        district, street, homes = yield finished
        if batch and (district != current or len(batch) >= limit):
            finished, batch = batch, []
        else:
            finished = []
        current = district
        batch.append((street, homes))


def lines(batch: Batch) -> str:
    return "; ".join(f"{street} ({homes})" for street, homes in batch)


def severity(homes: int) -> str:
    steps = chain(((1000, "major"), (100, "serious")), repeat((0, "minor")))
    return next(name for least, name in steps if homes >= least)


class OutageMail(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._batcher = batches(limit=4)
        self._batcher.send(None)

    @subscribe("/Energy/Outages")
    def on_outage(self, district: str, street: str, homes: int) -> dict[str, object]:
        finished = self._batcher.send((district, street, homes))
        total = sum(number for _, number in finished)
        return {"mail": lines(finished), "severity": severity(total) if finished else ""}
