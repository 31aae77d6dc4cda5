from __future__ import annotations

import datetime as dt
from collections import defaultdict

from graphbus_core import GraphBusNode, schema_method

PUNCHES = """
2024-03-05T07:58 ida in
2024-03-05T16:28 ida out
2024-03-05T09:00 bo in
2024-03-05T13:00 bo out
"""


class TimeClock(GraphBusNode):
    def __init__(self, punches: str = PUNCHES):
        super().__init__()
        self.log = defaultdict(list)
        for line in punches.split("\n"):
            if line:
                when, who, way = line.split()
                self.log[who].append((dt.datetime.fromisoformat(when), way))

    @schema_method(input_schema={"who": str, "date": str},
                   output_schema={"who": str, "present_minutes": int})
    def day(self, who, date):
        total = dt.timedelta()
        came = None
        for when, way in self.log[who]:
            if when.date().isoformat() != date:
                continue
            if way == "in":
                came = when
            elif came is not None:
                total += when - came
                came = None
        return {"who": who, "present_minutes": int(total.total_seconds() // 60)}
