from graphbus_core import GraphBusNode, depends_on, schema_method


class Radio(GraphBusNode):
    @schema_method(input_schema={"station": str}, output_schema={"frequency": float, "gain": float})
    def tune(self, station):
        return {"frequency": 90.0 + len(station), "gain": 0.5}


class Preset(GraphBusNode):
    def restore(self, snapshot):
        vars(self).update(snapshot)
        return self

    @depends_on("Radio.tune")
    @schema_method(input_schema={"freq": float}, output_schema={"label": str})
    def store(self, freq):
        self.freq = freq
        return {"label": self.label()}

    def label(self):
        return f"{self.freq:.1f} MHz"
