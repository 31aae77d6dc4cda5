from graphbus_core import GraphBusNode, schema_method

PEOPLE = {1: ("Ada", None), 2: ("William", "Bill")}


class Profile(GraphBusNode):
    @schema_method(input_schema={"key": int}, output_schema={"name": str, "nickname": str | None})
    def load(self, key):
        name, nickname = PEOPLE[key]
        return {"name": name, "nickname": nickname}
