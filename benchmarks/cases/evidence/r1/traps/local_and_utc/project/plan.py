from datetime import datetime

from graphbus_core import GraphBusNode, depends_on, schema_method


class FlightPlan(GraphBusNode):
    @depends_on("Gate.closed")
    @schema_method
    def file(self, flight: str, utc_time: datetime) -> dict[str, str]:
        return {"plan": f"{flight} {utc_time:%H%M}Z"}
