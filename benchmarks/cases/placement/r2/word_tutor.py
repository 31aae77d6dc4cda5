# stateful
from graphbus_core import GraphBusNode, subscribe


class WordTutor(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.known = set()
        self.learn = self.known.add

    @subscribe("/Word/Read")
    def on(self, payload):
        new = payload["word"] not in self.known
        self.learn(payload["word"])
        self.publish("/Word/Judged", {"new": new})
