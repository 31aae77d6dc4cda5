"""The sign above the lift's door.

>>> Sign().show(storey=Lift().where(350)["floor"])["text"]  # doctest: +SKIP
'1'
>>> Sign().show(storey=2)["text"]
'1 up'
"""
from graphbus_core import GraphBusNode, depends_on, schema_method


class Lift(GraphBusNode):
    HEIGHT_CM = 350

    @schema_method(input_schema={"cm": int}, output_schema={"floor": int})
    def where(self, cm):
        return {"floor": cm // self.HEIGHT_CM}


class Sign(GraphBusNode):
    @depends_on("Lift.where")
    @schema_method(input_schema={"storey": int}, output_schema={"text": str})
    def show(self, storey):
        return {"text": "ground" if storey == 1 else f"{storey - 1} up"}
