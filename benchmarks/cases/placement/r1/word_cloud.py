# pure
from graphbus_core import GraphBusNode, subscribe


class WordCloud(GraphBusNode):
    @subscribe("/Text/Written")
    def on_text(self, payload):
        counts = {}
        for word in payload["text"].lower().split():
            counts[word] = counts.get(word, 0) + 1
        self.publish("/Text/Counted", {"counts": counts})
