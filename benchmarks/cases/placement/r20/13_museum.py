# stateful
"""Takes the labels out of catalogue pages; the parser is used again and keeps what it found on earlier pages."""
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe


class LabelParser(HTMLParser):
    """Collects the text of <h2>, <td class=inv> and the alt text of pictures."""

    WANTED = {"h2": "title", "td": "inventory"}

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: dict[str, str] = {}
        self._field: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "img" and given.get("alt"):
            self.found["picture"] = given["alt"]
        elif tag == "h2" or (tag == "td" and given.get("class") == "inv"):
            self._field = self.WANTED[tag]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.WANTED:
            self._field = None

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if self._field and text:
            self.found[self._field] = text


def label(fields: dict[str, str]) -> str:
    title = fields.get("title", "Untitled")
    number = fields.get("inventory", "no number")
    return f"{title} ({number})" + (f" - {fields['picture']}" if "picture" in fields else "")


class Catalogue(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.parser = LabelParser()

    @subscribe("/Museum/Page")
    def on_page(self, html: str, language: str) -> dict[str, object]:
        self.parser.reset()
        self.parser.feed(html)
        self.parser.close()
        fields = self.parser.found
        return {
            "language": language[:2].lower(),
            "label": label(fields),
            "complete": {"title", "inventory", "picture"} <= fields.keys(),
        }
