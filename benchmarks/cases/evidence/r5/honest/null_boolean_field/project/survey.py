from typing import Optional

from graphbus_core import GraphBusNode, depends_on, schema_method


class Survey(GraphBusNode):
    ROWS = {1: True, 2: False, 3: None}

    @schema_method(input_schema={"row": int}, output_schema={"smoker": Optional[bool]})
    def answer(self, row):
        return {"smoker": self.ROWS[row]}


class Report(GraphBusNode):
    @depends_on("Survey.answer")
    @schema_method(input_schema={"smoker": bool}, output_schema={"line": str})
    def line(self, smoker):
        if smoker is None:
            return {"line": "did not say"}
        return {"line": "smokes" if smoker else "does not smoke"}
