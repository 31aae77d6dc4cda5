from graphbus_core import GraphBusNode, depends_on, schema_method


class Roster(GraphBusNode):
    @schema_method(input_schema={"voice": str}, output_schema={"singers": str})
    def voice(self, voice: str):
        return {"singers": "Ann,Bea,Cleo"}


class PhoneChain(GraphBusNode):
    @depends_on("Roster.voice")
    @schema_method(input_schema={"singer": str}, output_schema={"dialled": str})
    def call(self, singer: str):
        return {"dialled": {"Ann": "11", "Bea": "12", "Cleo": "13"}.get(singer, "no number")}
