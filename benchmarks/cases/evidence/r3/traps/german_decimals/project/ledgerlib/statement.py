from graphbus_core import GraphBusNode, schema_method


class Statement(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema={"date": str, "amount": str})
    def line(self, text):
        date, amount = text.split(maxsplit=1)
        return {"date": date, "amount": amount}
