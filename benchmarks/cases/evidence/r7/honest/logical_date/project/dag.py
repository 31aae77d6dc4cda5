import datetime

from graphbus_core import GraphBusNode, schema_method


class Dag(GraphBusNode):
    last = datetime.date(2023, 3, 30)

    @schema_method(
        input_schema={},
        output_schema={"logical_date": datetime.date, "interval_end": datetime.date},
    )
    def next_run(self):
        day = datetime.timedelta(days=1)
        return {"logical_date": self.last + day, "interval_end": self.last + 2 * day}
