"""Daily counts by country."""
from graphbus_core import GraphBusNode, schema_method

TABLE = """\
country,day,confirmed
Italy,2020-03-01,1694
Italy,2020-03-02,2036
Italy,2020-03-09,9172
France,2020-03-09,1209
"""


class Tracker(GraphBusNode):
    SYSTEM_PROMPT = "I serve the last count of a country."

    @schema_method(
        input_schema={"country": str},
        output_schema={"country": str, "day": str, "confirmed": str},
    )
    def history(self, country):
        last = None
        for line in TABLE.splitlines()[1:]:
            cells = line.split(",")
            if cells[0] == country:
                last = {"country": cells[0], "day": cells[1], "confirmed": cells[2]}
        return last

    def export(self, countries):
        return "\n".join(",".join(self.history(c).values()) for c in countries)
