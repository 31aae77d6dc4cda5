from typing import Annotated

from graphbus_core import Alias, GraphBusNode, depends_on, schema_method


class Labels(GraphBusNode):
    @depends_on("Wms.stock")
    @schema_method(output_schema={"label": str})
    def print_label(self, article: Annotated[str, Alias("sku")]):
        return {"label": f"*{article.upper()}*"}
