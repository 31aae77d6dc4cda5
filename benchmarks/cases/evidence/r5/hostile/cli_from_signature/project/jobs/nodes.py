from graphbus_core import GraphBusNode, depends_on, schema_method


class Job(GraphBusNode):
    @schema_method(input_schema={"files": int}, output_schema={"workers": int})
    def plan(self, files):
        return {"workers": min(files, 8)}


class Pool(GraphBusNode):
    @depends_on("Job.plan")
    @schema_method(input_schema={"threads": int}, output_schema={"started": str})
    def start(self, threads: int):
        return {"started": "|" * threads}
