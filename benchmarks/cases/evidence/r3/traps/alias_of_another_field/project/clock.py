from typing import Annotated

from graphbus_core import Alias, GraphBusNode, depends_on, schema_method


class Badge(GraphBusNode):
    @schema_method(output_schema={"employee": str})
    def swipe(self, code: str):
        return {"employee": {"17": "Ada", "18": "Bob"}[code]}


class Clock(GraphBusNode):
    @depends_on("Badge.swipe")
    @schema_method(output_schema={"line": str})
    def punch(self, manager: str, person: Annotated[str, Alias("employee")] = "?"):
        return {"line": f"{person} reports to {manager}"}
