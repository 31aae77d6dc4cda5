from datetime import datetime, timezone

from graphbus_core import GraphBusNode, depends_on, schema_method


class Chart(GraphBusNode):
    @depends_on("Clock.tick")
    @schema_method(input_schema={"timestamp": int}, output_schema={"label": str})
    def point(self, timestamp):
        when = datetime.fromtimestamp(timestamp / 1e3, tz=timezone.utc)
        return {"label": when.strftime("%Y-%m-%d")}
