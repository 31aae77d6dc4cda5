from graphbus_core import GraphBusNode, schema_method, subscribe


class Shop(GraphBusNode):
    @schema_method(input_schema={"buyer": str, "note": str}, output_schema={"buyer": str, "note": str})
    def order(self, buyer, note):
        self.publish("/shop/ordered", {"buyer": buyer, "note": note})
        return {"buyer": buyer, "note": note}


class Courier(GraphBusNode):
    @subscribe("/shop/ordered")
    @schema_method(input_schema={"receiver": str}, output_schema={"ring_at": str})
    def deliver(self, event):
        return {"ring_at": event["receiver"]}
