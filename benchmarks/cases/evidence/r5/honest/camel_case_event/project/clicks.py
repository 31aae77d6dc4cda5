from graphbus_core import GraphBusNode, schema_method, subscribe


class Page(GraphBusNode):
    @schema_method(input_schema={"x": int}, output_schema={"sessionId": str, "elementId": str})
    def click(self, x):
        payload = {"sessionId": "s-1", "elementId": "menu" if x < 100 else "body"}
        self.publish("/page/click", payload)
        return payload


class Stats(GraphBusNode):
    @subscribe("/page/click")
    @schema_method(input_schema={"element_id": str}, output_schema={"key": str})
    def on_click(self, event):
        return {"key": "clicks:" + event["element_id"]}
