import dataclasses

from graphbus_core import GraphBusNode, schema_method


@dataclasses.dataclass(slots=True)
class Stopped:
    hours: float


class Timer(GraphBusNode):
    @schema_method
    def stop(self, job: str) -> Stopped:
        return Stopped(2.25)
