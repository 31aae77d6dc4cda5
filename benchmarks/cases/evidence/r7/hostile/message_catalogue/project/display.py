import json
from pathlib import Path

from graphbus_core import GraphBusNode, depends_on, schema_method

MESSAGES = json.loads(Path(__file__).with_name("catalogue.json").read_text())


class Display(GraphBusNode):
    language = "de"

    @depends_on("Lift.trip")
    @schema_method(input_schema={"riders": int, "floor": int}, output_schema={"text": str})
    def show(self, riders, floor):
        return {"text": MESSAGES[self.language] % locals()}
