"""Trams.

>>> stop = Timetable().next("terminus")["stop"]
>>> Display().show(platform=PLATFORMS[stop])
{'text': 'platform 1'}
"""

from graphbus_core import GraphBusNode, depends_on, schema_method

PLATFORMS = {1: 1, 2: 7}


class Timetable(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"stop": int})
    def next(self, name):
        return {"stop": 1 if name == "terminus" else 2}


class Display(GraphBusNode):
    @depends_on("Timetable.next")
    @schema_method(input_schema={"platform": int}, output_schema={"text": str})
    def show(self, platform):
        return {"text": f"platform {platform}"}
