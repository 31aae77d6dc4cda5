"""A cluster of three and the migrations of its database."""
import asyncio
from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass(frozen=True)
class Node:
    name: str
    delay: float
    term: int


NODES = (Node("db-a", 0.03, 8), Node("db-b", 0.0, 7), Node("db-c", 0.02, 8))


class Cluster(GraphBusNode):
    def __init__(self, nodes=NODES):
        super().__init__()
        self.nodes = nodes

    async def ping(self, node):
        await asyncio.sleep(node.delay)
        return node

    @schema_method(input_schema={}, output_schema={"node": str, "size": int})
    async def probe(self):
        tasks = [asyncio.ensure_future(self.ping(node)) for node in self.nodes]
        done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in rest:
            task.cancel()
        first = min((task.result() for task in done), key=lambda node: node.delay)
        return {"node": first.name, "size": len(self.nodes)}


class Migration(GraphBusNode):
    steps = ("add column", "fill column", "drop default")

    def __init__(self):
        super().__init__()
        self.log = []

    @depends_on("Cluster.probe")
    @schema_method(input_schema={"leader": str}, output_schema={"applied": int})
    async def apply(self, leader):
        for step in self.steps:
            self.log.append((leader, step))
            await asyncio.sleep(0)
        return {"applied": len(self.log)}
