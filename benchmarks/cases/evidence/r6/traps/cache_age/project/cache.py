import heapq

from graphbus_core import GraphBusNode, schema_method


class PageCache(GraphBusNode):
    """Pages with a time to live; the clock is a number, for the tests."""

    def __init__(self):
        super().__init__()
        self.now = 100.0
        self.expiry = {}
        self.heap = []
        for path, life in (("/", 600.0), ("/news", 60.0), ("/about", 86400.0)):
            self.store(path, life)
        self.now += 55.0

    def store(self, path, life):
        self.expiry[path] = self.now + life
        heapq.heappush(self.heap, (self.now + life, path))

    def sweep(self):
        while self.heap and self.heap[0][0] <= self.now:
            _, path = heapq.heappop(self.heap)
            self.expiry.pop(path, None)

    @schema_method(input_schema={"path": str}, output_schema={"path": str, "ttl_left": float})
    def lookup(self, path):
        self.sweep()
        return {"path": path, "ttl_left": self.expiry[path] - self.now}
