from pathlib import Path

from graphbus_core import GraphBusNode, depends_on, schema_method

TEMPLATE = (Path(__file__).parent / "sign.txt").read_text().strip()


class Sensor(GraphBusNode):
    @schema_method(input_schema={"house": int}, output_schema={"humidity": int})
    def read(self, house):
        return {"humidity": 60 + house}


class Sign(GraphBusNode):
    @depends_on("Sensor.read")
    @schema_method(input_schema={"moisture": int}, output_schema={"text": str})
    def render(self, moisture):
        mood = "damp" if moisture > 62 else "dry"
        return {"text": TEMPLATE.format(**locals())}
