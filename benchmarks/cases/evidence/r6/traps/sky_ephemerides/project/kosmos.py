"""What is to be seen tonight."""
import json
from dataclasses import asdict, dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Rising:
    body: str
    at: str


@dataclass
class Meeting:
    bodies: tuple
    at: str


RISINGS = {3: [Rising("Mars", "04:12"), Rising("Moon", "21:40")], 4: []}
MEETINGS = {3: [Meeting(("Moon", "Venus"), "05:01")], 4: []}


class SkyReport(GraphBusNode):
    """`--format json` in two lists."""

    @schema_method(
        input_schema={"day": int},
        output_schema={"details": list, "ephemerides": list},
    )
    def compute(self, day):
        return {
            "details": [asdict(rising) for rising in RISINGS[day]],
            "ephemerides": [asdict(meeting) for meeting in MEETINGS[day]],
        }

    def to_json(self, day):
        return json.dumps(self.compute(day), indent=1)


class Printer(GraphBusNode):
    @depends_on("SkyReport.compute")
    @schema_method(input_schema={"events": list}, output_schema={"text": str})
    def page(self, events):
        if not events:
            return {"text": "nothing tonight"}
        ordered = sorted(events, key=lambda event: event["at"])
        return {"text": "; ".join(event["at"] for event in ordered)}
