from feeds.agency import Wire
from graphbus_core import GraphBusNode, subscribe


class Ticker(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/News/WireReceived")
    def on_event(self, source: str, text: str) -> str:
        feed = Wire(source)
        line = feed.clean(text)
        return f"{feed.source}: {line}" if feed.allows(line) else f"{feed.source}: (held)"
