from collections.abc import Mapping

from graphbus_core import GraphBusNode, depends_on, schema_method

MARK = "{origin} * {date}"


class Lenient(Mapping):
    def __init__(self, row):
        self._row = row

    def __getitem__(self, key):
        return self._row.get(key, f"?{key}?")

    def __iter__(self):
        return iter(self._row)

    def __len__(self):
        return len(self._row)


class Post(GraphBusNode):
    @schema_method(input_schema={"bag": int}, output_schema={"sender": str, "date": str})
    def sort(self, bag):
        return {"sender": "Graz", "date": "1-XI"}


class Stamp(GraphBusNode):
    @depends_on("Post.sort")
    @schema_method(input_schema={"origin": str, "date": str}, output_schema={"mark": str})
    def cancel(self, **letter):
        return {"mark": MARK.format_map(Lenient(letter))}
