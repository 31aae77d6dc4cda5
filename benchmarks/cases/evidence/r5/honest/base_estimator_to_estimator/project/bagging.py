from graphbus_core import GraphBusNode, depends_on, schema_method


class Recipe(GraphBusNode):
    @schema_method(input_schema={"rows": int}, output_schema={"estimator": str, "fallback": str, "n_estimators": int})
    def pick(self, rows):
        return {"estimator": "tree" if rows < 100 else "ridge", "fallback": "mean", "n_estimators": 4}


class Bagging(GraphBusNode):
    @depends_on("Recipe.pick")
    @schema_method(input_schema={"base_estimator": str, "n_estimators": int}, output_schema={"names": list})
    def build(self, base_estimator, n_estimators):
        return {"names": [f"{base_estimator}-{i}" for i in range(n_estimators)]}
