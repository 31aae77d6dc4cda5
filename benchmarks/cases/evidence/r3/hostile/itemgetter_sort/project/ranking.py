from operator import itemgetter

from graphbus_core import GraphBusNode, schema_method, subscribe

SETTINGS = {"SORT_BY": "seconds", "SHOW": "runner"}


class Ranking(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.entries = []

    @subscribe("/Race/Finish")
    @schema_method(input_schema={"runner": str, "seconds": float})
    def enter(self, payload):
        self.entries.append(payload)

    def podium(self):
        best = sorted(self.entries, key=itemgetter(SETTINGS["SORT_BY"]))
        return list(map(itemgetter(SETTINGS["SHOW"]), best))[:3]
