from graphbus_core import GraphBusNode, depends_on, schema_method


class Folder(GraphBusNode):
    @schema_method(input_schema={"pages": int}, output_schema={"signatures": int, "paper": str})
    def fold(self, pages):
        return {"signatures": pages // 16, "paper": "laid"}


class Sewing(GraphBusNode):
    @depends_on("Folder.fold")
    @schema_method(input_schema={"gatherings": int, "paper": str}, output_schema={"thread_cm": int})
    def sew(self, gatherings, paper):
        return {"thread_cm": gatherings * (30 if paper == "laid" else 25)}
