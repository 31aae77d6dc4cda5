from dataclasses import dataclass
from datetime import date

from graphbus_core import GraphBusNode, schema_method


@dataclass
class Run:
    run_after: date
    logical_date: date


class Scheduler(GraphBusNode):
    @schema_method
    def next_run(self) -> Run:
        return Run(run_after=date(2026, 3, 2), logical_date=date(2026, 3, 1))
