from dataclasses import dataclass

from graphbus_core import GraphBusNode, schema_method


@dataclass
class Finish:
    name: str
    net_time: float


class Runner(GraphBusNode):
    @schema_method
    def finish(self, name: str) -> Finish:
        return Finish(name, 100.0 - len(name))
