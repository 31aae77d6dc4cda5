from graphbus_core import GraphBusNode, depends_on, schema_method


class Person(GraphBusNode):
    PEOPLE = {"bela": ("Béla", "Bartók", "HU"), "carl": ("Carl", "Nielsen", "DK")}

    @schema_method(input_schema={"key": str}, output_schema={"given_name": str, "family_name": str, "country": str})
    def read(self, key):
        return dict(zip(("given_name", "family_name", "country"), self.PEOPLE[key]))


class Envelope(GraphBusNode):
    @depends_on("Person.read")
    @schema_method(input_schema={"name": str}, output_schema={"line": str})
    def address(self, name):
        """The word that comes first."""
        return {"line": name.upper()}


def first_word(key):
    p = Person().read(key)
    return Envelope().address(name=p["family_name"] if p["country"] == "HU" else p["given_name"])["line"]
