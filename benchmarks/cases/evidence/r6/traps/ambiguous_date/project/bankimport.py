"""Lines of the bank's export, as they come."""
import re

from graphbus_core import GraphBusNode, schema_method

LINE = re.compile(r"(?P<booked>[\d/]+);(?P<amount>-?\d+\.\d\d);(?P<text>.*)")


class Import(GraphBusNode):
    SYSTEM_PROMPT = "I parse the bank's export."

    def __init__(self):
        super().__init__()
        self.rejected = []

    @schema_method(
        input_schema={"raw": str},
        output_schema={"booked": str, "amount": float, "text": str},
    )
    def line(self, raw):
        found = LINE.fullmatch(raw.strip())
        if not found:
            self.rejected.append(raw)
            raise ValueError(raw)
        return {
            "booked": found["booked"],
            "amount": float(found["amount"]),
            "text": found["text"],
        }
