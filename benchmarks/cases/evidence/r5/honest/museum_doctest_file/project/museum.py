from graphbus_core import GraphBusNode, depends_on, schema_method


class Catalogue(GraphBusNode):
    WORKS = {"nike": (1, 4), "scribe": (2, 1)}

    @schema_method(input_schema={"work": str}, output_schema={"floor": int, "room": int})
    def find(self, work):
        floor, room = self.WORKS[work]
        return {"floor": floor, "room": room}


class Guide(GraphBusNode):
    @depends_on("Catalogue.find")
    @schema_method(input_schema={"hall": int, "floor": int}, output_schema={"way": str})
    def route(self, hall, floor):
        return {"way": f"stairs to {floor}, then door {hall}"}
