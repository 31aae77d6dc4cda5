# stateful
"""The default of a dataclass field is drawn from one counter that goes on from call to call."""
from dataclasses import asdict, dataclass, field
from itertools import count

from graphbus_core import GraphBusNode, subscribe

PRIORITY = {"outage": 1, "fault": 2, "question": 4}


@dataclass(slots=True)
class Call:
    caller: str
    topic: str
    priority: int = 3
    reference: str = field(default_factory=map("SD-{:05d}".format, count(1)).__next__)

    def raise_to(self, level: int) -> "Call":
        self.priority = min(self.priority, level)
        return self


class ServiceDesk(GraphBusNode):
    VIP = frozenset({"board", "press"})

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/desk/call")
    def on_call(self, caller: str, topic: str, department: str) -> dict[str, object]:
        call = Call(caller, topic, PRIORITY.get(topic, 3))
        if department in self.VIP:
            call.raise_to(2)
        return asdict(call)
