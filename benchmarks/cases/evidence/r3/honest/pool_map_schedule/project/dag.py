from graphbus_core import GraphBusNode, schema_method

SCHEDULES = {"etl": "@daily", "ping": "@hourly"}


class Dag(GraphBusNode):
    @schema_method(input_schema={"dag_id": str}, output_schema={"schedule": str})
    def describe(self, dag_id):
        return {"schedule": SCHEDULES[dag_id]}
