from graphbus_core import GraphBusNode, depends_on, schema_method


class Catalogue(GraphBusNode):
    TITLES = ("Prelude", "Gigue", "Air")

    @schema_method(output_schema={"title": str})
    def track(self, number: int):
        return {"title": self.TITLES[number - 1]}


class Sleeve(GraphBusNode):
    width = 12

    @depends_on("Catalogue.track")
    @schema_method(output_schema={"text": str})
    def line(self, label: str):
        return {"text": label.upper().ljust(self.width, ".")}
