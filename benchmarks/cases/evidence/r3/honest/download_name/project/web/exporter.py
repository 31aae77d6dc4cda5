from graphbus_core import GraphBusNode, schema_method


class Exporter(GraphBusNode):
    @schema_method(input_schema={"table": str, "year": int}, output_schema={"download_name": str, "size": int})
    def export(self, table, year):
        body = ";".join([table, str(year)])
        return dict(download_name=f"{table}-{year}.csv", size=len(body))
