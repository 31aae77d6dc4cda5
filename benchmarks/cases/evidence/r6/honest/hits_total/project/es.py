"""A thin client of a search server, and the head of its result page."""
import json

from graphbus_core import GraphBusNode, depends_on, schema_method

ANSWERS = {
    "bus": '{"hits": {"total": {"value": 412, "relation": "eq"}, "hits": [{"_id": "a"}, {"_id": "b"}]}}',
    "the": '{"hits": {"total": {"value": 10000, "relation": "gte"}, "hits": [{"_id": "c"}]}}',
}


class Transport:
    def post(self, text):
        return json.loads(ANSWERS[text])


class Search(GraphBusNode):
    def __init__(self, transport=None):
        super().__init__()
        self.transport = transport or Transport()

    @schema_method(input_schema={"text": str}, output_schema={"ids": list, "total": dict})
    def run(self, text):
        hits = self.transport.post(text)["hits"]
        value, relation = hits["total"]["value"], hits["total"]["relation"]
        return {
            "ids": [hit["_id"] for hit in hits["hits"]],
            "total": {"value": value, "relation": relation},
        }


class Header(GraphBusNode):
    @depends_on("Search.run")
    @schema_method(input_schema={"total": int}, output_schema={"header": str})
    def line(self, total):
        if total == 0:
            return {"header": "nothing found"}
        return {"header": f"{total} result{'s' if total > 1 else ''}"}
