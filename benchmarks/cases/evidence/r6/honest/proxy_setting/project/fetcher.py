from urllib.parse import urlsplit

from graphbus_core import GraphBusNode, depends_on, schema_method


class Fetcher(GraphBusNode):
    @depends_on("Network.settings")
    @schema_method(
        input_schema={"base_url": str, "proxies": str},
        output_schema={"hop": str, "path": str},
    )
    def route(self, base_url, proxies):
        target = urlsplit(base_url)
        hop = urlsplit(proxies).netloc if proxies else target.netloc
        return {"hop": hop, "path": target.path or "/"}
