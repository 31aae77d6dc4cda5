# pure
"""Sorts one bus load of patients."""

import heapq
from collections import Counter, defaultdict, deque

from graphbus_core import GraphBusNode, subscribe


class Triage(GraphBusNode):
    @subscribe("/Ambulance/Arrived")
    def on_arrived(self, payload):
        queue, wards, last = [], defaultdict(deque), Counter()
        for patient in payload["patients"]:
            heapq.heappush(queue, (-patient["severity"], patient["name"]))
        while queue:
            severity, name = heapq.heappop(queue)
            ward = "icu" if severity < -7 else "er"
            wards[ward].append(name)
            last[ward] += 1
        self.publish("/Ward/Plan", {"wards": {w: list(n) for w, n in wards.items()}, "loads": dict(last)})
