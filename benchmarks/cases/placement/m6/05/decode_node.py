from graphbus_core import GraphBusNode, subscribe

import vocabulary


class DecodeNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._lookup = vocabulary.english.word

    @subscribe("/Decode")
    def on_ids(self, ids: list[int]) -> dict:
        return {"text": " ".join(map(self._lookup, ids))}
