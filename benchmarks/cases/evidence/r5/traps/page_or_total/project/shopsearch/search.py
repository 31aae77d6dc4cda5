from graphbus_core import GraphBusNode, schema_method


class Search(GraphBusNode):
    HITS = {"lamp": 2, "chair": 35}
    PER_PAGE = 10

    @schema_method(input_schema={"word": str, "page": int}, output_schema={"count": int, "more": bool})
    def page(self, word, page):
        left = self.HITS[word] - page * self.PER_PAGE
        return {"count": min(left, self.PER_PAGE), "more": left > self.PER_PAGE}
