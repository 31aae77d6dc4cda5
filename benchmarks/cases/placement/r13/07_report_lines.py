# pure
"""Keeps nothing: the StringIO and the totals are made anew for every report."""
import csv
import io
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

COLUMNS = ["branch", "count", "sum", "average"]


class BranchReport(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.delimiter = ";"
        self.columns = list(COLUMNS)

    def _write(self, rows: list[list[object]]) -> str:
        buffer = io.StringIO()
        writer = csv.writer(buffer, delimiter=self.delimiter, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(rows)
        return buffer.getvalue()

    @subscribe("/Reports/Branch")
    def report(self, entries: list[list[object]]) -> dict[str, object]:
        sums: dict[str, int] = defaultdict(int)
        counts: dict[str, int] = defaultdict(int)
        for branch, cents in entries:
            sums[branch] += cents
            counts[branch] += 1
        rows = []
        for branch in sorted(sums):
            average = sums[branch] // counts[branch]
            rows.append([branch, counts[branch], sums[branch], average])
        return {"csv": self._write(rows), "grand_total": sum(sums.values())}
