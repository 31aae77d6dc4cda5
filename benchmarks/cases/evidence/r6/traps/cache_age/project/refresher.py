from graphbus_core import GraphBusNode, depends_on


class Refresher(GraphBusNode):
    soft_limit = 30.0

    def __init__(self):
        super().__init__()
        self.queue = []

    @depends_on("PageCache.lookup")
    def consider(self, path: str, age: float):
        stale = age > self.soft_limit
        if stale:
            self.queue.append(path)
        return {"stale": stale, "waiting": len(self.queue)}
