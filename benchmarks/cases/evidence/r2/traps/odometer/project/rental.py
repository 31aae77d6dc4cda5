from graphbus_core import GraphBusNode, depends_on, schema_method


class Car(GraphBusNode):
    def __init__(self, km=80_000):
        self.km = km

    @schema_method(output_schema={"km": int, "fuel": float})
    def dashboard(self):
        return {"km": self.km, "fuel": 0.5}


class Rental(GraphBusNode):
    @depends_on("Car.dashboard")
    @schema_method(input_schema={"driven": int}, output_schema={"price": float})
    def settle(self, driven):
        return {"price": 30 + 0.25 * driven}
