import os
from pathlib import Path

from graphbus_core import GraphBusNode, depends_on, schema_method


class Collector(GraphBusNode):
    @schema_method(input_schema={"nodeid": str}, output_schema={"nodeid": str, "path": Path})
    def item(self, nodeid):
        return {"nodeid": nodeid, "path": Path("suite") / nodeid.split("::")[0]}


class Header(GraphBusNode):
    @depends_on("Collector.item")
    @schema_method(input_schema={"path": str}, output_schema={"line": str})
    def line(self, path):
        return {"line": "== " + os.path.basename(path) + " in " + os.path.dirname(path)}
