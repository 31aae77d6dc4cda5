from typing import NotRequired

from graphbus_core import GraphBusNode, depends_on, schema_method


class Camera(GraphBusNode):
    def __init__(self, clock=600):
        self.clock = clock

    @schema_method(input_schema={"plate": str}, output_schema={"plate": str, "at": int})
    def pass_by(self, plate):
        self.clock += 90
        return {"plate": plate, "at": self.clock}


class Till(GraphBusNode):
    @depends_on("Camera.pass_by")
    @schema_method(input_schema={"left": int, "entered": NotRequired[int]}, output_schema={"cents": int})
    def due(self, left, entered=0):
        return {"cents": (left - entered) * 5}
