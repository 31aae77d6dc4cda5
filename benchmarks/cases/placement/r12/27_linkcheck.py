# pure
"""A parser is made and closed for each article; the class attributes are only read."""
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from graphbus_core import GraphBusNode, subscribe


class Links(HTMLParser):
    WANTED = {"a": "href", "img": "src", "link": "href"}

    def __init__(self, base: str) -> None:
        super().__init__(convert_charrefs=True)
        self.base = base
        self.found: list[tuple[str, str]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("img", "link", "br", "hr", "meta", "input"):
            self.open.append(tag)
        wanted = self.WANTED.get(tag)
        for name, value in attrs:
            if name == wanted and value:
                self.found.append((tag, urljoin(self.base, value)))

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def __enter__(self) -> "Links":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def is_foreign(url: str, home: str) -> bool:
    host = urlsplit(url).hostname or home
    return host != home and not host.endswith("." + home)


class LinkChecker(GraphBusNode):
    HOME = "morgenblatt.example"

    @subscribe("/Article/Published")
    def on_article(self, path: str, html: str) -> dict[str, object]:
        base = f"https://{self.HOME}/{path.lstrip('/')}"
        with Links(base) as parser:
            parser.feed(html)
        urls = [url for _, url in parser.found]
        return {
            "links": len(urls),
            "foreign": [u for u in urls if is_foreign(u, self.HOME)],
            "insecure": [u for u in urls if u.startswith("http://")],
            "unclosed": parser.open,
        }
