import feeds
from graphbus_core import GraphBusNode, subscribe


class Village(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/News/LetterReceived")
    def on_event(self, source: str, text: str) -> dict[str, object]:
        feed = feeds.make("local", source)
        return {"text": feed.clean(text), "ok": feed.allows(text), "retries": feed.retries, "kinds": sorted(feed.kinds)}
