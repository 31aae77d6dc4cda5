from math import ceil

from graphbus_core import GraphBusNode, depends_on


class Pager(GraphBusNode):
    size = 2

    @depends_on("SearchIndex.query")
    def links(self, total: int, page: int = 1):
        last = max(1, ceil(total / self.size))
        numbers = [n for n in range(page - 1, page + 2) if 1 <= n <= last]
        return {"pages": numbers, "last": last}
