from datetime import date

from graphbus_core import GraphBusNode, depends_on, schema_method


class Partition(GraphBusNode):
    @depends_on("Scheduler.next_run")
    @schema_method
    def path(self, execution_date: date) -> dict[str, str]:
        return {"path": f"s3://lake/ds={execution_date.isoformat()}"}
