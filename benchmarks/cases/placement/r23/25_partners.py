# pure
"""The cycle is made inside the event from the event's own list."""
from itertools import chain, count, cycle, islice

from graphbus_core import GraphBusNode, subscribe

ROLES = ("reader", "writer", "timer")


def snake(names, width):
    rows = iter(lambda it=iter(names): tuple(islice(it, width)), ())
    for flip, row in zip(cycle((False, True)), rows):
        yield row[::-1] if flip else row


def with_roles(group, turn):
    roles = islice(cycle(ROLES), turn % 3, None)
    return [f"{name} ({role})" for name, role in zip(group, roles)]


class Partners(GraphBusNode):
    @subscribe("/Lesson/GroupWork")
    def on_group_work(self, names: list[str], size: int, week: int) -> dict:
        how_many = max(1, len(names) // max(1, size))
        numbered = zip(count(1), self.balanced(names, how_many))
        return {f"group {n}": with_roles(group, week) for n, group in numbered}

    @staticmethod
    def balanced(names, how_many):
        rows = list(snake(sorted(names), how_many))
        for place in range(how_many):
            yield list(chain.from_iterable(row[place:place + 1] for row in rows))
