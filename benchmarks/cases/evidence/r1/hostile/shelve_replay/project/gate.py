import json
from pathlib import Path

from graphbus_core import GraphBusNode, depends_on, schema_method


class Rfid(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"tag": str})
    def tap(self):
        return {"tag": "t9"}


class Gate(GraphBusNode):
    def __init__(self):
        self.inside = set()

    @depends_on("Rfid.tap")
    @schema_method(input_schema={"card": str}, output_schema={"inside": int})
    def let_in(self, card):
        self.inside.add(card)
        return {"inside": len(self.inside)}

    def replay(self, path=Path(__file__).with_name("journal.jsonl")):
        for line in path.read_text().splitlines():
            self.let_in(**json.loads(line))
