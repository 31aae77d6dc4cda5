"""Trains, or pretends to.

>>> from plan import Plan
>>> schedule = Plan().make(2500)
>>> Trainer().fit(nb_epoch=schedule["epochs"])
{'losses': [1.0, 0.5, 0.25, 0.125]}
"""
from graphbus_core import GraphBusNode, depends_on, schema_method


class Trainer(GraphBusNode):
    @depends_on("Plan.make")
    @schema_method(input_schema={"nb_epoch": int}, output_schema={"losses": list[float]})
    def fit(self, nb_epoch):
        return {"losses": [2.0 ** -e for e in range(nb_epoch)]}
