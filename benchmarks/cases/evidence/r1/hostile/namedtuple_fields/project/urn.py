from collections import namedtuple

from graphbus_core import GraphBusNode, depends_on, schema_method

Paper = namedtuple("Paper", "ballot booth")


class Booth(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"choice": str, "booth": int})
    def vote(self):
        return {"choice": "yes", "booth": 1}


class Urn(GraphBusNode):
    def __init__(self):
        self.papers = []

    @depends_on("Booth.vote")
    @schema_method(input_schema={"ballot": str, "booth": int}, output_schema={"n": int})
    def drop(self, ballot, booth):
        self.papers.append(Paper(ballot, booth))
        return {"n": len(self.papers)}
