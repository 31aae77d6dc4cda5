from graphbus_core import GraphBusNode, schema_method


class Profile(GraphBusNode):
    @schema_method(
        input_schema={"name": str},
        output_schema={"host": str, "compress": bool, "ssl": bool},
    )
    def get(self, name):
        lab = name.startswith("lab")
        return {"host": f"{name}.example", "compress": lab, "ssl": not lab}
