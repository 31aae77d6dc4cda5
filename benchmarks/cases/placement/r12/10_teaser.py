# stateful
"""One HTML parser is fed for every article; an unclosed aside or tag of one article swallows text of the next."""
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe

Attrs = list[tuple[str, str | None]]


class TeaserParser(HTMLParser):
    """Collects the visible text, leaving out boxes that the front page has no room for."""

    HIDDEN = {"aside", "figure", "table"}

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._hidden = 0
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: Attrs) -> None:
        if tag in self.HIDDEN:
            self._hidden += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in self.HIDDEN and self._hidden:
            self._hidden -= 1

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.words.extend(data.split())

    def run(self, html: str) -> list[str]:
        self.words = []
        self.feed(html)
        return self.words


def shorten(words: list[str], limit: int) -> str:
    text = ""
    for word in words:
        if len(text) + len(word) + 1 > limit:
            return text + "…"
        text = f"{text} {word}".lstrip()
    return text


class TeaserDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._parser = TeaserParser()
        self._limit = 80

    @subscribe("/Article/Saved")
    def on_article(self, slug: str, html: str) -> dict[str, object]:
        words = self._parser.run(html)
        return {"slug": slug, "teaser": shorten(words, self._limit), "words": len(words)}
