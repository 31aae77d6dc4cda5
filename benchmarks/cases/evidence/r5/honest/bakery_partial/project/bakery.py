from functools import partial

from graphbus_core import GraphBusNode, depends_on, schema_method


class Dough(GraphBusNode):
    @schema_method(input_schema={"flour": int}, output_schema={"grams": int, "loaves": int})
    def knead(self, flour):
        grams = flour * 3 // 2
        return {"grams": grams, "loaves": grams // 750}


class Oven(GraphBusNode):
    PER_TRAY = 4

    @depends_on("Dough.knead")
    @schema_method(input_schema={"pieces": int}, output_schema={"trays": int})
    def bake(self, *, pieces):
        return {"trays": -(-pieces // self.PER_TRAY)}


def morning(flour):
    dough = Dough().knead(flour)
    bake = partial(Oven().bake, pieces=dough["loaves"])
    return bake()["trays"]
