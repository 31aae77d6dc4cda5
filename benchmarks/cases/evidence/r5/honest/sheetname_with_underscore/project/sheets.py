from graphbus_core import GraphBusNode, depends_on, schema_method


class Picker(GraphBusNode):
    @schema_method(input_schema={"year": int}, output_schema={"path": str, "sheet_name": str})
    def pick(self, year):
        return {"path": f"books/{year}.xlsx", "sheet_name": "Q1"}


class Reader(GraphBusNode):
    @depends_on("Picker.pick")
    @schema_method(input_schema={"path": str, "sheetname": str}, output_schema={"cell": str})
    def open(self, path, sheetname):
        """The first cell of a sheet.

        >>> picked = Picker().pick(2020)
        >>> Reader().open(path=picked["path"], sheetname=picked["sheet_name"])
        {'cell': '[2020.xlsx]Q1!A1'}
        """
        return {"cell": f"[{path.split('/')[-1]}]{sheetname}!A1"}
