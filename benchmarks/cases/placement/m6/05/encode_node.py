from graphbus_core import GraphBusNode, subscribe

from textkit import words
from vocabulary import english as vocab


class EncodeNode(GraphBusNode):
    @subscribe("/Encode")
    def on_text(self, text: str) -> dict:
        return {"ids": [vocab.number(w) for w in words(text)] + [vocab.number("<end>")]}
