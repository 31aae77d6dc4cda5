import random

from graphbus_core import GraphBusNode, schema_method
from names import modern


class Campaign(GraphBusNode):
    def __init__(self, **settings):
        super().__init__()
        settings = modern(settings)
        self.batch_size = settings.get("batch_size", 3)
        self.random = random.Random(4)

    @schema_method(
        input_schema={},
        output_schema={"batch_size": int, "rounds": int, "points": list},
    )
    def recommend(self):
        points = [round(self.random.uniform(0, 1), 3) for _ in range(self.batch_size)]
        return {"batch_size": self.batch_size, "rounds": 2, "points": points}
