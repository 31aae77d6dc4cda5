from graphbus_core import GraphBusNode, depends_on, schema_method


class RetryPolicy(GraphBusNode):
    base = 2.0
    most = 5

    @depends_on("Crawler.fetch")
    @schema_method(input_schema={"code": int, "tries": int}, output_schema={"wait": float})
    def decide(self, code, tries):
        if code < 500 or tries >= self.most:
            return {"wait": 0.0}
        return {"wait": self.base**tries}
