from urllib.parse import urlsplit

from graphbus_core import GraphBusNode, schema_method

WEB = {"a.example": (200, 5120), "b.example": (503, 0), "c.example": (404, 312)}


class Crawler(GraphBusNode):
    """Fetches pages of a very small web."""

    def __init__(self):
        super().__init__()
        self.seen = []

    @schema_method(
        input_schema={"url": str},
        output_schema={"url": str, "status": int, "size": int, "tries": int},
    )
    def fetch(self, url):
        status, size = WEB[urlsplit(url).hostname]
        self.seen.append(url)
        return {"url": url, "status": status, "size": size, "tries": self.seen.count(url) + 1}
