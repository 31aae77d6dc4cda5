# pure
from graphbus_core import GraphBusNode, subscribe


class WordCounter(GraphBusNode):
    @subscribe("/Text/Sent")
    def on(self, payload):
        counts = {}
        for word in payload["text"].split():
            counts[word] = counts.get(word, 0) + 1
        self.publish("/Text/Counted", {"counts": counts})
