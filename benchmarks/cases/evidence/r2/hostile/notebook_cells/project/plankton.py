from graphbus_core import GraphBusNode, depends_on, schema_method


class Plankton(GraphBusNode):
    @schema_method(input_schema={"metres": int}, output_schema={"cells": int})
    def haul(self, metres):
        return {"cells": metres * 40}


class Microscope(GraphBusNode):
    @depends_on("Plankton.haul")
    @schema_method(input_schema={"organisms": int}, output_schema={"slides": int})
    def count(self, organisms):
        return {"slides": organisms // 100}
