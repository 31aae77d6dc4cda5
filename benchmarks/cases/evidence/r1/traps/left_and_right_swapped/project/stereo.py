from graphbus_core import GraphBusNode, depends_on, schema_method


class Mixer(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"left": float, "right": float})
    def out(self):
        return {"left": 0.2, "right": 0.9}


class Amp(GraphBusNode):
    """Names its inputs as the sockets are labelled; the loom is crossed."""

    @depends_on("Mixer.out")
    @schema_method(input_schema={"l": float, "r": float}, output_schema={"big_speaker": float})
    def drive(self, l, r):  # noqa: E741
        return {"big_speaker": l}
