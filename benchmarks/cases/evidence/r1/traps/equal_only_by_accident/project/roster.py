from graphbus_core import GraphBusNode, schema_method


class Roster(GraphBusNode):
    @schema_method(input_schema={"day": str}, output_schema={"nurse_id": int, "hours": int})
    def shift(self, day):
        return {"nurse_id": 7, "hours": 8}
