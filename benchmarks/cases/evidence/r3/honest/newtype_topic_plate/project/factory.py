from typing import NewType

from graphbus_core import GraphBusNode, publishes, schema_method, subscribe

Vin = NewType("Vin", str)


class Line(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.made = 0

    @publishes("/Car/Finished", {"colour": str, "chassis": Vin})
    @schema_method(input_schema={"colour": str}, output_schema={"colour": str, "chassis": Vin})
    def finish(self, colour):
        self.made += 1
        return {"colour": colour, "chassis": Vin(f"VIN{self.made:06d}")}


class Papers(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.drawer = []

    @subscribe("/Car/Finished")
    @schema_method(input_schema={"vin": Vin})
    def on_finished(self, payload):
        self.drawer.append(payload["vin"])
