import json
from pathlib import Path

from graphbus_core import GraphBusNode, schema_method, subscribe

REQUIRED = json.loads(Path(__file__).with_name("required.json").read_text())["required"]


class Vet(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.queue = []

    @subscribe("/Shelter/Intake")
    @schema_method(input_schema={"species": str, "age": int})
    def admit(self, payload):
        lacking = [key for key in REQUIRED if key not in payload]
        if lacking:
            raise ValueError(f"lacking {lacking}")
        self.queue.append(tuple(payload[key] for key in REQUIRED))
