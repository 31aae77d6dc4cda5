import json

from graphbus_core import GraphBusNode, schema_method

RAW = '{"intranet": {"ssl": false}, "public": {"ssl": true}}'


class Settings(GraphBusNode):
    @schema_method(input_schema={"profile": str}, output_schema={"ssl": bool})
    def load(self, profile):
        return {"ssl": json.loads(RAW)[profile]["ssl"]}
