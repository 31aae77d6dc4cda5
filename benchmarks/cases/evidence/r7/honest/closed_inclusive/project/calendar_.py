from graphbus_core import GraphBusNode, depends_on, schema_method

today = None


class Calendar(GraphBusNode):
    @depends_on("Range.make")
    @schema_method(input_schema={"start": int, "end": int, "closed": str}, output_schema={"days": list[int]})
    def days(self, start, end, closed):
        first = start if closed in ("left", "both") else start + 1
        last = end if closed in ("right", "both") else end - 1
        return {"days": [d for d in range(first, last + 1) if today is None or d >= today]}
