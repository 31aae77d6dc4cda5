from datetime import date, timedelta

from graphbus_core import GraphBusNode, schema_method

DAY = timedelta(days=1)


class RunView:
    """A run as old plugins see it."""

    def __init__(self, run):
        self.run = run

    @property
    def execution_date(self):
        return self.run["logical_date"]


class Scheduler(GraphBusNode):
    def __init__(self, last=date(2024, 2, 27)):
        super().__init__()
        self.last = last

    @schema_method(input_schema={}, output_schema={"run_after": date, "logical_date": date})
    def next_run(self):
        run = {"run_after": self.last + 2 * DAY, "logical_date": self.last + DAY}
        self.last += DAY
        return run
