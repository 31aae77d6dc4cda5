import json
from pathlib import Path
from string import Template

from graphbus_core import GraphBusNode, depends_on, schema_method

TEXTS = {p.stem: json.loads(p.read_text()) for p in (Path(__file__).parent / "locale").glob("*.json")}


class Flight(GraphBusNode):
    @schema_method(input_schema={"nr": str}, output_schema={"gate": str, "delay_min": int})
    def status(self, nr):
        return {"gate": "B" + nr[-1], "delay_min": int(nr[-1]) * 5}


class Notice(GraphBusNode):
    language = "en"

    @depends_on("Flight.status")
    @schema_method(input_schema={"gate": str, "minutes": int}, output_schema={"text": str})
    def write(self, gate, minutes):
        given = {k: v for k, v in vars().items() if k != "self"}
        return {"text": Template(TEXTS[self.language]["late"]).safe_substitute(given)}
