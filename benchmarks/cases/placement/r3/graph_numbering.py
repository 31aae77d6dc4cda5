# pure
from collections import defaultdict
from itertools import count, cycle, groupby

from graphbus_core import GraphBusNode, subscribe

COLOURS = ["red", "green", "blue"]


class GraphNumbering(GraphBusNode):
    @subscribe("/Graph/Edges")
    def on_edges(self, payload):
        number = defaultdict(count().__next__)
        edges = sorted((number[a], number[b]) for a, b in payload["edges"])
        colours = cycle(COLOURS)
        lines = []
        for node, group in groupby(edges, key=lambda e: e[0]):
            lines.append([node, next(colours), [b for _, b in group]])
        self.publish("/Graph/Lines", {"nodes": len(number), "lines": lines})
