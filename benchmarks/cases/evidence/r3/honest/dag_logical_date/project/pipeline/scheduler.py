import datetime as dt

from graphbus_core import GraphBusNode, schema_method


class Scheduler(GraphBusNode):
    def __init__(self, start="2024-02-27"):
        super().__init__()
        self.cursor = dt.date.fromisoformat(start)

    @schema_method(input_schema={}, output_schema={"logical_date": str, "run_id": str})
    def next_run(self):
        self.cursor += dt.timedelta(days=1)
        return {"logical_date": self.cursor.isoformat(), "run_id": f"scheduled__{self.cursor:%Y%m%d}"}
