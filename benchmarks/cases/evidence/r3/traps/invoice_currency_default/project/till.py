from graphbus_core import GraphBusNode, schema_method


class Till(GraphBusNode):
    """Our shop in Basel."""

    @schema_method(output_schema={"takings": float})
    def close(self, sales: list[float]):
        return {"takings": round(sum(sales), 2)}
