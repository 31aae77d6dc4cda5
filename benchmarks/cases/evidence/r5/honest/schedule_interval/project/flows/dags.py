from graphbus_core import GraphBusNode, depends_on, schema_method

EVERY = {"@daily": 24, "@hourly": 1}


class DagFile(GraphBusNode):
    FOUND = {"sales": ("@daily", "2024-01-01"), "ping": ("@hourly", "2024-06-01")}

    @schema_method(input_schema={"dag_id": str}, output_schema={"dag_id": str, "schedule": str, "start": str})
    def read(self, dag_id):
        schedule, start = self.FOUND[dag_id]
        return {"dag_id": dag_id, "schedule": schedule, "start": start}


class Timetable(GraphBusNode):
    @depends_on("DagFile.read")
    @schema_method(input_schema={"dag_id": str, "schedule_interval": str}, output_schema={"line": str})
    def next(self, dag_id, schedule_interval):
        hours = EVERY.get(schedule_interval, 0)
        return {"line": f"{dag_id}: every {hours} h"}
