from feeds import make
from graphbus_core import GraphBusNode, subscribe


class Legal(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.feed = make("wire", "legal")

    @subscribe("/News/EmbargoSet")
    def on_event(self, word: str) -> dict[str, int]:
        return {"held": self.feed.hold(word)}
