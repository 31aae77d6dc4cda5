from graphbus_core import GraphBusNode, schema_method


class Accounts(GraphBusNode):
    @schema_method(input_schema={"uid": int}, output_schema={"name": str})
    def get(self, uid):
        return {"name": ["adal", "ghopper"][uid]}


class Hr(GraphBusNode):
    @schema_method(input_schema={"uid": int}, output_schema={"name": str})
    def export(self, uid):
        return {"name": ["Ada Lovelace", "Grace Hopper"][uid]}
