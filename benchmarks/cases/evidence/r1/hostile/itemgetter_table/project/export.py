from operator import itemgetter

from graphbus_core import GraphBusNode, depends_on, schema_method

COLUMNS = ("mail", "name")


class Crm(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"email": str, "name": str})
    def lead(self):
        return {"email": "a@b.example", "name": "Al"}


class Export(GraphBusNode):
    @depends_on("Crm.lead")
    @schema_method(input_schema={"mail": str, "name": str}, output_schema={"mail": str, "name": str})
    def row(self, mail, name):
        return {"mail": mail.lower(), "name": name}


def csv(row):
    return ";".join(COLUMNS) + "\n" + ";".join(itemgetter(*COLUMNS)(row))
