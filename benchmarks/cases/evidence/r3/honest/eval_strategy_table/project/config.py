from graphbus_core import GraphBusNode, schema_method


class Config(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema={"eval_strategy": str, "steps": int})
    def parse(self, text):
        pairs = dict(line.split("=") for line in text.split())
        return {"eval_strategy": pairs["eval"], "steps": int(pairs["steps"])}
