# stateful
from graphbus_core import GraphBusNode, subscribe


def bump(table, key):
    table[key] = table.get(key, 0) + 1
    return table[key]


class WordOfTheDay(GraphBusNode):
    """Tells how popular a word is."""

    def __init__(self):
        super().__init__()
        self.votes = {}

    @subscribe("/Vote/Cast")
    def on_vote(self, payload):
        self.publish("/Vote/Standing", {"word": payload["word"], "votes": bump(self.votes, payload["word"])})
