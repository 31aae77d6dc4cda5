from graphbus_core import GraphBusNode, schema_method


class Quotes(GraphBusNode):
    RACK = {"single": 120.0, "double": 180.0}

    @schema_method(input_schema={"room": str, "company": str}, output_schema={"rate": float, "negotiated": float})
    def quote(self, room, company):
        return {"rate": self.RACK[room], "negotiated": 99.0 if company == "ACME" else 0.0}
