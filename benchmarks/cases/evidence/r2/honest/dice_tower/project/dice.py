"""A game for rainy days."""

from graphbus_core import GraphBusNode, depends_on, schema_method


class Tower(GraphBusNode):
    @schema_method(input_schema={"seed": int}, output_schema={"pips": int})
    def drop(self, seed):
        return {"pips": seed % 6 + 1}


class Board(GraphBusNode):
    @depends_on("Tower.drop")
    @schema_method(input_schema={"steps": int}, output_schema={"square": str})
    def move(self, steps):
        """Moves from the start.

        >>> thrown = Tower().drop(seed=4)
        >>> Board().move(steps=thrown["pips"])
        {'square': 'A5'}
        """
        return {"square": f"A{steps}"}
