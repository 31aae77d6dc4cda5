from graphbus_core import GraphBusNode, depends_on, schema_method


class Recorder(GraphBusNode):
    @depends_on("Antenna.listen")
    @schema_method(input_schema={"signal": float, "station": str}, output_schema={"file": str})
    def tape(self, signal, station):
        return {"file": f"{station}-{'good' if signal > 0.5 else 'noise'}.wav"}
