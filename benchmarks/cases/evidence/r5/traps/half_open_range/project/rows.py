from typing import NamedTuple

from graphbus_core import GraphBusNode, depends_on, schema_method


class Block(NamedTuple):
    start: int
    end: int


class Cursor(GraphBusNode):
    @schema_method(input_schema={"n": int}, output_schema={"start": int, "end": int})
    def fetch(self, n):
        return Block(start=10, end=10 + n)._asdict()


class Report(GraphBusNode):
    @depends_on("Cursor.fetch")
    @schema_method(input_schema={"start": int, "last": int}, output_schema={"text": str, "n": int})
    def rows(self, start, last):
        return {"text": f"rows {start} to {last}", "n": last - start + 1}


def report(n):
    block = Block(**Cursor().fetch(n))
    return Report().rows(start=block.start, last=range(block.start, block.end)[-1])
