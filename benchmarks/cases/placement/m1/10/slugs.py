from graphbus_core import GraphBusNode, subscribe
from textkit import STOP, words


class Slugs(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._seen = {}

    @subscribe("/News/HeadlineWritten")
    def on_event(self, headline: str) -> str:
        slug = "-".join(w for w in words(headline) if w not in STOP)
        return self._seen.setdefault(headline, slug)
