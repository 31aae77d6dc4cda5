from graphbus_core import GraphBusNode, depends_on, schema_method


class Box(GraphBusNode):
    @schema_method(input_schema={"bottles": int}, output_schema={"weight": float})
    def weigh(self, bottles):
        """
        >>> Box().weigh(6)
        {'weight': 8.0}
        """
        return {"weight": 0.5 + bottles * 1.25}


class Truck(GraphBusNode):
    """Takes everything that leaves on one day, at once."""

    limit = 20.0

    @depends_on("Box.weigh")
    @schema_method(input_schema={"mass": float}, output_schema={"goes": bool})
    def load(self, mass):
        """
        >>> Truck().load(mass=20.5)
        {'goes': False}
        """
        return {"goes": mass <= self.limit}
