from typing import Annotated

from graphbus_core import Alias, GraphBusNode, depends_on, schema_method


class Feed(GraphBusNode):
    @depends_on("Studio.finish")
    @schema_method
    def add(self, title: str, seconds: Annotated[int, Alias("duration_s")]) -> dict[str, str]:
        return {"xml": f"<item><title>{title}</title><duration>{seconds // 60}</duration></item>"}
