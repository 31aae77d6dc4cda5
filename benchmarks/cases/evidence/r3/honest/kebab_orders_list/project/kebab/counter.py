from itertools import count

from graphbus_core import GraphBusNode, publishes, schema_method


class Counter(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._numbers = count(101)

    @publishes("/Kebab/Ordered", {"ticket": int, "dish": str})
    @schema_method(input_schema={"dish": str}, output_schema={"ticket": int, "dish": str})
    def take(self, dish):
        return {"ticket": next(self._numbers), "dish": dish}
