"""A queue of jobs and the thing that decides about workers."""
from collections import deque

from graphbus_core import GraphBusNode, depends_on, schema_method


class Queue(GraphBusNode):
    def __init__(self, jobs=range(27)):
        super().__init__()
        self.jobs = deque(jobs)
        self.done = 0

    def work(self, n=1):
        for _ in range(min(n, len(self.jobs))):
            self.jobs.popleft()
            self.done += 1

    @schema_method(input_schema={}, output_schema={"depth": int, "done": int})
    def stats(self):
        return {"depth": len(self.jobs), "done": self.done}


class Scaler(GraphBusNode):
    per_worker = 10
    most = 8

    @depends_on("Queue.stats")
    @schema_method(input_schema={"backlog": int}, output_schema={"workers": int})
    def size(self, backlog):
        needed = -(-backlog // self.per_worker)
        return {"workers": max(1, min(self.most, needed))}
