import html
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe


class _Outline(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[int, str]] = []
        self._level = 0

    def handle_starttag(self, tag, attrs):
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self._level = int(tag[1])
            self.found.append((self._level, ""))

    def handle_endtag(self, tag):
        self._level = 0

    def handle_data(self, data):
        if self._level:
            level, text = self.found[-1]
            self.found[-1] = level, text + data


class MinutesOutline(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.parser = _Outline()

    @subscribe("/Council/Minutes/Uploaded")
    def outline(self, page: str) -> dict[str, list[str]]:
        self.parser.reset()
        self.parser.found = []
        self.parser._level = 0
        self.parser.feed(page)
        self.parser.close()
        counters: list[int] = []
        lines = []
        for level, text in self.parser.found:
            counters = counters[:level] + [0] * (level - len(counters))
            counters[level - 1] += 1
            lines.append(".".join(map(str, counters)) + " " + html.escape(" ".join(text.split())))
        return {"outline": lines}
