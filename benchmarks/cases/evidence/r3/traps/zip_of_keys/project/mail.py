from graphbus_core import GraphBusNode, depends_on, schema_method

PEOPLE = [("Ada", "Lovelace", "GB"), ("Rubik", "Erno", "HU"), ("Grace", "Hopper", "US")]


class Sheet(GraphBusNode):
    @schema_method(input_schema={"n": int}, output_schema={"name1": str, "name2": str, "country": str})
    def row(self, n):
        name1, name2, country = PEOPLE[n]
        return {"name1": name1, "name2": name2, "country": country}


class Envelope(GraphBusNode):
    @depends_on("Sheet.row")
    @schema_method(input_schema={"surname": str}, output_schema={"line": str})
    def address(self, surname, given=""):
        return {"line": f"{surname.upper()} {given}".strip()}
