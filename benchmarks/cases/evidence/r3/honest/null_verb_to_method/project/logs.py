from graphbus_core import GraphBusNode, depends_on, schema_method


class LogParser(GraphBusNode):
    @schema_method(input_schema={"line": str}, output_schema={"path": str, "method": str, "status": int})
    def parse(self, line):
        method, path, status = line.split()
        return {"path": path, "method": method, "status": int(status)}


class Stats(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.by_verb = {}

    @depends_on("LogParser.parse")
    @schema_method(input_schema={"verb": str, "status": int}, output_schema={"count": int})
    def count(self, verb, status):
        if status >= 500:
            return {"count": 0}
        self.by_verb[verb] = self.by_verb.get(verb, 0) + 1
        return {"count": self.by_verb[verb]}
