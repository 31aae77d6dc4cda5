# pure
from collections import Counter, defaultdict

from graphbus_core import GraphBusNode, subscribe


class BallotBox(GraphBusNode):
    @subscribe("/Vote/Closed")
    def on(self, payload):
        counts = Counter(payload["votes"])
        by_count = defaultdict(list)
        for name, votes in counts.items():
            by_count[votes].append(name)
        self.publish("/Vote/Won", {"winners": sorted(by_count[max(by_count)])})
