import datetime

from graphbus_core import GraphBusNode, depends_on, schema_method


class Task(GraphBusNode):
    @depends_on("Dag.next_run")
    @schema_method(input_schema={"execution_date": datetime.date}, output_schema={"path": str})
    def render(self, execution_date):
        return {"path": f"s3://lake/{execution_date:%Y/%m/%d}/"}
