from datetime import date

from graphbus_core import GraphBusNode, depends_on, schema_method


class Partition(GraphBusNode):
    table = "events"

    def __init__(self):
        super().__init__()
        self.done = []

    @depends_on("Scheduler.next_run")
    @schema_method(input_schema={"execution_date": date}, output_schema={"path": str})
    def write(self, execution_date):
        path = f"{self.table}/dt={execution_date.isoformat()}"
        if path in self.done:
            raise FileExistsError(path)
        self.done.append(path)
        return {"path": path}
