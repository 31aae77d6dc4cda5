from itertools import product

from graphbus_core import GraphBusNode, schema_method


class Sweep(GraphBusNode):
    rates = (0.01, 0.1)
    momenta = (0.0, 0.9)

    def __len__(self):
        return len(self.rates) * len(self.momenta)

    @schema_method(
        input_schema={"number": int},
        output_schema={"learning_rate": float, "momentum": float},
    )
    def draw(self, number):
        grid = list(product(self.rates, self.momenta))
        rate, momentum = grid[number]
        return {"learning_rate": rate, "momentum": momentum}
