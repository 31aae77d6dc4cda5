from graphbus_core import GraphBusNode, schema_method


class Parser(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema={"text": str, "lang": str, "script": str})
    def read(self, text):
        return {"text": text, "lang": "de" if "ü" in text else "en", "script": "latn"}
