from itertools import combinations

from graphbus_core import GraphBusNode, subscribe

TABLES = {"t1": 2, "t2": 2, "t3": 4, "t4": 4, "t5": 6}


class TablePlan(GraphBusNode):
    """The fewest tables with the fewest empty chairs for a party."""

    def __init__(self):
        super().__init__()
        self._best = None

    def _offer(self, tables: tuple, party: int) -> None:
        chairs = sum(TABLES[t] for t in tables)
        if chairs >= party:
            key = (len(tables), chairs - party, tables)
            if self._best is None or key < self._best:
                self._best = key

    @subscribe("/Restaurant/Party/Arriving")
    def place(self, party: int, closed: list) -> dict:
        self._best = None
        free = [t for t in TABLES if t not in closed]
        for n in range(1, len(free) + 1):
            for tables in combinations(free, n):
                self._offer(tables, party)
        if self._best is None:
            return {"tables": [], "spare": 0}
        return {"tables": list(self._best[2]), "spare": self._best[1]}
