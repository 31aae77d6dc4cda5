from graphbus_core import GraphBusNode, depends_on, schema_method


class Cron(GraphBusNode):
    presets = {"@daily": "0 0 * * *", "@hourly": "0 * * * *"}

    @depends_on("Dag.describe")
    @schema_method(input_schema={"schedule_interval": str}, output_schema={"cron": str})
    def expand(self, schedule_interval: str):
        return {"cron": self.presets.get(schedule_interval, schedule_interval)}
