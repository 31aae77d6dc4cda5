from urllib.parse import quote

from graphbus_core import GraphBusNode, depends_on, schema_method


class Headers(GraphBusNode):
    @depends_on("Exporter.export")
    @schema_method(input_schema={"attachment_filename": str}, output_schema={"header": str})
    def disposition(self, attachment_filename):
        safe = quote(attachment_filename)
        return {"header": f"attachment; filename={safe}"}
