from graphbus_core import GraphBusNode, depends_on, schema_method


class Selector(GraphBusNode):
    @schema_method(output_schema={"model": str})
    def select(self, words: int):
        return {"model": "small" if words < 5 else "large"}


class Completion(GraphBusNode):
    @depends_on("Selector.select")
    @schema_method(output_schema={"text": str})
    def complete(self, engine: str):
        return {"text": f"[{engine}] ok"}
