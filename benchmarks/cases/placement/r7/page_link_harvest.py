# stateful
"""The parser object serves all pages and keeps the base address of the last page that named one, as well as an unfinished tag."""
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from graphbus_core import GraphBusNode, subscribe


class LinkParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.base = ""
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        href = values.get("href") or ""
        if tag == "base":
            self.base = href
        elif tag == "a" and href and "nofollow" not in (values.get("rel") or ""):
            self.links.append(urljoin(self.base, href))


class Harvester(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.parser = LinkParser()

    @subscribe("/crawler/page")
    def on_page(self, url: str, html: str) -> dict[str, object]:
        parser = self.parser
        parser.links = []
        parser.feed(html)
        hosts = sorted({urlsplit(link).netloc or urlsplit(url).netloc for link in parser.links})
        return {"url": url, "links": parser.links, "hosts": hosts}
