from graphbus_core import GraphBusNode, depends_on, schema_method


class Hive(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"hive": int, "brood_frames": int, "honey_frames": int})
    def inspect(self):
        return {"hive": 3, "brood_frames": 6, "honey_frames": 4}


class Diary(GraphBusNode):
    """Notes how many frames hold brood."""

    @depends_on("Hive.inspect")
    @schema_method(input_schema={"hive": int, "frames": int}, output_schema={"line": str})
    def write(self, hive, **fields):
        return {"line": f"hive {hive}: {fields.get('frames', 0)} of brood"}
