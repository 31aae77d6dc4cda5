"""Imports address lists that have gaps."""
from graphbus_core import GraphBusNode, depends_on, schema_method

SPECS = """
country   DE   --
language  de   en
"""
ROWS = ({"country": ""}, {"country": "FR"})


class FieldTable(GraphBusNode):
    def __init__(self, text=SPECS):
        super().__init__()
        self.specs = {}
        for line in filter(None, text.splitlines()):
            key, load, dump = line.split()
            self.specs[key] = (load, dump)

    @schema_method(
        input_schema={"key": str},
        output_schema={"key": str, "load_default": str, "dump_default": str},
    )
    def spec(self, key):
        load, dump = self.specs[key]
        return {"key": key, "load_default": load, "dump_default": dump}


class Filler(GraphBusNode):
    def __init__(self, rows=ROWS):
        super().__init__()
        self.rows = rows

    @depends_on("FieldTable.spec")
    @schema_method(input_schema={"key": str, "missing": str}, output_schema={"rows": list})
    def fill(self, key, missing):
        return {"rows": [{key: row.get(key) or missing} for row in self.rows]}


def run_import(rows, keys):
    table, filler = FieldTable(), Filler(rows)
    columns = {}
    for key in keys:
        spec = table.spec(key)
        filled = filler.fill(key=key, missing=spec["load_default"])
        columns[key] = [row[key] for row in filled["rows"]]
    return columns
