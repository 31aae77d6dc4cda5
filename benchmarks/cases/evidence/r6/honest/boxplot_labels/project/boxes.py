from statistics import median

from graphbus_core import GraphBusNode, depends_on, schema_method


class BoxDrawer(GraphBusNode):
    """Boxes as text: label, low, middle, high."""

    @depends_on("Figure.describe")
    @schema_method(
        input_schema={"values": list, "labels": list},
        output_schema={"lines": list},
    )
    def draw(self, values, labels):
        if len(values) != len(labels):
            raise ValueError("a label for each box")
        wide = max(map(len, labels))
        lines = []
        for label, group in zip(labels, values, strict=True):
            lines.append(f"{label:<{wide}} | {min(group)} | {max(group)}")
        return {"lines": lines}

    @staticmethod
    def middles(values):
        return [median(group) for group in values]
