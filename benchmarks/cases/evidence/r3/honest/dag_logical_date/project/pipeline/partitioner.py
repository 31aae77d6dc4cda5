from graphbus_core import GraphBusNode, depends_on, schema_method


class Partitioner(GraphBusNode):
    """Where the files of one run go."""

    @depends_on("Scheduler.next_run")
    @schema_method(input_schema={"execution_date": str}, output_schema={"path": str})
    def path(self, execution_date):
        year, month, day = execution_date.split("-")
        return {"path": f"/data/year={year}/month={month}/day={day}"}
