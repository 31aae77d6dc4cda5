from graphbus_core import GraphBusNode, schema_method


class Limits(GraphBusNode):
    @schema_method(input_schema={"tier": str}, output_schema={"request_timeout": float, "scroll_minutes": float})
    def of(self, tier: str):
        return {"request_timeout": {"free": 2.5, "paid": 30.0}[tier], "scroll_minutes": 5.0}
