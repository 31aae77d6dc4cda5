from graphbus_core import GraphBusNode, depends_on, schema_method


class Tracker(GraphBusNode):
    @schema_method(input_schema={"i": int}, output_schema={"buoy": str, "speed_kn": float})
    def fix(self, i):
        return {"buoy": f"B{i}", "speed_kn": 4.5 + i}


class Log(GraphBusNode):
    @depends_on("Tracker.fix")
    @schema_method(input_schema={"buoy": str, "knots": float}, output_schema={"line": str})
    def note(self, buoy, knots):
        return {"line": f"{buoy} {knots:.1f} kn"}
