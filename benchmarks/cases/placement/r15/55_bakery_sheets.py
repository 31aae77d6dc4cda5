# stateful
"""Keeps every batch in a temporary file which is opened for appending and read back as a whole."""
import json
import os
import tempfile
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

FLOUR_GRAMS = {"roll": 45, "loaf": 620, "pretzel": 70, "cake": 310}


class Sheet:
    def __init__(self) -> None:
        handle, self.path = tempfile.mkstemp(prefix="bakery-", suffix=".jsonl")
        os.close(handle)

    def write(self, rows: list[dict[str, object]]) -> None:
        with open(self.path, "a", encoding="utf-8") as out:
            for row in rows:
                print(json.dumps(row, sort_keys=True), file=out)

    def read(self) -> list[dict[str, object]]:
        with open(self.path, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines if line.strip()]


class BakerySheets(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._sheet = Sheet()

    @subscribe("/Bakery/Batch")
    def on_batch(self, oven: int, goods: dict[str, int]) -> dict[str, object]:
        self._sheet.write([{"oven": oven, "what": what, "count": count} for what, count in sorted(goods.items())])
        flour: defaultdict[str, int] = defaultdict(int)
        for row in self._sheet.read():
            flour[str(row["what"])] += FLOUR_GRAMS.get(row["what"], 100) * int(row["count"])
        return {"oven": oven, "flour": dict(sorted(flour.items())), "kilos": round(sum(flour.values()) / 1000, 3)}
