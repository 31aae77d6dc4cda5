# stateful
"""Order numbers come from one counter that runs on as long as the module lives, and zip() takes one more than it needs."""
from collections.abc import Iterable, Iterator
from itertools import count, groupby
from operator import itemgetter

from graphbus_core import GraphBusNode, subscribe

NUMBERS = map("W-{:05d}".format, count(7001))
HOURS = {"replace": 2, "inspect": 1, "seal": 1}


def by_street(jobs: Iterable[dict[str, str]]) -> Iterator[tuple[str, list[str]]]:
    ordered = sorted(jobs, key=itemgetter("street", "task"))
    for street, group in groupby(ordered, key=itemgetter("street")):
        yield street, [job["task"] for job in group]


def orders(jobs: Iterable[dict[str, str]], crew: str) -> Iterator[dict[str, object]]:
    for number, (street, tasks) in zip(NUMBERS, by_street(jobs)):
        yield {
            "order": number,
            "crew": crew,
            "street": street,
            "tasks": tasks,
            "hours": sum(HOURS.get(task, 3) for task in tasks),
        }


class WorkOrders(GraphBusNode):
    @subscribe("/Energy/Jobs")
    def on_jobs(self, crew: str, jobs: list[dict[str, str]]) -> dict[str, object]:
        written = list(orders(jobs, crew.title()))
        return {"orders": written, "hours": sum(order["hours"] for order in written)}
