from graphbus_core import GraphBusNode, subscribe

from textkit import Tally, sentences


class KeywordsNode(GraphBusNode):
    DEFAULT_COUNT = 4

    @subscribe("/Keywords")
    def on_text(self, text: str, count: int = 0) -> dict:
        tally = Tally()
        for sentence in sentences(text):
            tally.feed(sentence)
        top = tally.top(count or self.DEFAULT_COUNT)
        return {"keywords": [w for w, _ in top], "weights": dict(top)}
