import re

from graphbus_core import GraphBusNode, depends_on, schema_method


class Checker(GraphBusNode):
    @depends_on("Rules.load")
    @schema_method(input_schema={"sample": str, "regex": str}, output_schema={"ok": bool})
    def check(self, sample, regex):
        return {"ok": re.fullmatch(regex, sample) is not None}
