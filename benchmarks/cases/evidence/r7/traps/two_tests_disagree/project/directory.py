from graphbus_core import GraphBusNode, schema_method

PEOPLE = {7: ("hmoser", "hanna.moser@example.org"), 9: ("tku", "t.kurz@example.org")}


class Directory(GraphBusNode):
    @schema_method(input_schema={"number": int}, output_schema={"login": str, "mail": str})
    def lookup(self, number):
        login, mail = PEOPLE[number]
        return {"login": login, "mail": mail}
