import operator

from graphbus_core import GraphBusNode, depends_on, schema_method


class Join(GraphBusNode):
    OPS = {"within": operator.lt, "contains": operator.gt}
    LEFT, RIGHT = [1, 2, 8], [5, 5, 5]

    @depends_on("Question.ask")
    @schema_method(input_schema={"op": str, "how": str}, output_schema={"n": int})
    def count(self, op, how):
        test = self.OPS.get(op, lambda a, b: True)
        hits = sum(1 for a, b in zip(self.LEFT, self.RIGHT) if test(a, b))
        return {"n": hits if how == "inner" else len(self.LEFT)}
