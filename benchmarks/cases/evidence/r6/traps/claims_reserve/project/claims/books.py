from collections import defaultdict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Books(GraphBusNode):
    SYSTEM_PROMPT = "I keep the reserves."

    def __init__(self):
        super().__init__()
        self.by_line = defaultdict(dict)

    @depends_on("ClaimFile.assess")
    @schema_method(
        input_schema={"number": str, "line": str, "reserve": float},
        output_schema={"line": str, "total": float},
    )
    def reserve(self, number, line, reserve):
        if reserve < 0:
            raise ValueError(f"{number}: negative reserve")
        self.by_line[line][number] = reserve
        return {"line": line, "total": sum(self.by_line[line].values())}
