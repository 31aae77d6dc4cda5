# pure
from graphbus_core import GraphBusNode, subscribe


def pages(rows, size):
    page = []
    for row in rows:
        page.append(row)
        if len(page) == size:
            yield page
            page = []
    if page:
        yield page


class PageSplitter(GraphBusNode):
    @subscribe("/Rows/Read")
    def on(self, payload):
        for number, page in enumerate(pages(payload["rows"], 2), 1):
            self.publish("/Page/Made", {"number": number, "rows": page})
