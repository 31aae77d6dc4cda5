from graphbus_core import GraphBusNode, depends_on, schema_method


class Dosing(GraphBusNode):
    @depends_on("Strip.test")
    @schema_method
    def mix(self, ppm: float, acid: float) -> dict[str, str]:
        return {"add": "softener" if ppm > 150 else "nothing"}
