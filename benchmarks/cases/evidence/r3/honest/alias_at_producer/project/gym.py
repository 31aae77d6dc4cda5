from graphbus_core import GraphBusNode, depends_on, schema_method


class Gym(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.present = set()

    @depends_on("Ldap.who")
    @schema_method(input_schema={"member_id": str}, output_schema={"present": list[str]})
    def enter(self, member_id):
        self.present.add(member_id)
        return {"present": sorted(self.present)}
