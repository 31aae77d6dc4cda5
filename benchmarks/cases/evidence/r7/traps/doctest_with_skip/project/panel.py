"""The tracker.

>>> Panel().turn(heading=180.0)
{'steps': 1800}
>>> from sun import Sun
>>> Panel().turn(heading=Sun().position(14)["azimuth"])  # doctest: +SKIP
{'steps': 300}
"""
from graphbus_core import GraphBusNode, depends_on, schema_method


class Panel(GraphBusNode):
    @depends_on("Sun.position")
    @schema_method(input_schema={"heading": float}, output_schema={"steps": int})
    def turn(self, heading):
        return {"steps": int(heading * 10)}
