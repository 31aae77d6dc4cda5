from graphbus_core import GraphBusNode, depends_on, schema_method


class Bagging(GraphBusNode):
    def __init__(self, n=2):
        super().__init__()
        self.n = n

    @depends_on("Registry.pick")
    @schema_method(input_schema={"base_estimator": str}, output_schema={"trees": list[str]})
    def fit(self, base_estimator):
        return {"trees": [f"{base_estimator}#{i}" for i in range(self.n)]}
