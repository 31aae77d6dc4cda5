from graphbus_core import GraphBusNode, depends_on, schema_method


class Payroll(GraphBusNode):
    @depends_on("Clock.day")
    @schema_method
    def count(self, start: int, end: int) -> dict[str, int]:
        return {"hours": end - start}
