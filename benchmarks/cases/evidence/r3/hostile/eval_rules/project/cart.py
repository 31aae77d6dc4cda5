from graphbus_core import GraphBusNode, depends_on, schema_method

from rules import RULES


class Basket(GraphBusNode):
    @schema_method(input_schema={"prices": list[int]}, output_schema={"total": int})
    def sum_up(self, prices):
        return {"total": sum(prices)}


class Discount(GraphBusNode):
    @depends_on("Basket.sum_up")
    @schema_method(input_schema={"amount": int}, output_schema={"off": float})
    def apply(self, amount):
        for condition, value in RULES:
            if eval(condition, {}, vars_of(locals())):
                return {"off": float(eval(value, {}, vars_of(locals())))}
        return {"off": 0.0}


def vars_of(scope):
    return {name: value for name, value in scope.items() if isinstance(value, int)}
