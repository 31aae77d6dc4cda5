import re

from graphbus_core import GraphBusNode, depends_on, schema_method


class Validator(GraphBusNode):
    @depends_on("Form.field")
    @schema_method(input_schema={"regex": str, "value": str}, output_schema={"ok": bool})
    def check(self, regex, value):
        return {"ok": re.fullmatch(regex, value) is not None}
