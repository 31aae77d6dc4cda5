from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Verdict(TypedDict):
    alive: bool


class Watchdog(GraphBusNode):
    limit = 2.0     # seconds

    @depends_on("Probe.ping")
    @schema_method
    def judge(self, host: str, elapsed: float) -> Verdict:
        return {"alive": elapsed < self.limit}
