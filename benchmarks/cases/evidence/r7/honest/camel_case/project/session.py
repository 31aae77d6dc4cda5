from graphbus_core import GraphBusNode, schema_method


class Session(GraphBusNode):
    @schema_method(input_schema={"token": str}, output_schema={"userId": int, "deviceId": int})
    def open(self, token):
        return {"userId": 12, "deviceId": 900 + len(token)}
