import json
from dataclasses import asdict, dataclass
from pathlib import Path

from graphbus_core import GraphBusNode, publishes, schema_method, subscribe


@dataclass
class Day:
    guests: int = 0


class Gate(GraphBusNode):
    @publishes("/Visitors", {"visitors": int})
    def count(self):
        self.publish("/Visitors", {"visitors": 30})


class Stats(GraphBusNode):
    def __init__(self):
        self.day = Day(**json.loads(Path(__file__).with_name("state.json").read_text()))

    @subscribe("/Visitors")
    @schema_method(input_schema={"guests": int})
    def on_count(self, payload):
        self.day.guests += payload["guests"]

    def saved(self):
        return json.dumps(asdict(self.day))
