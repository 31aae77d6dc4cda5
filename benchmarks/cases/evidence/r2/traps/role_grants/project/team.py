from graphbus_core import GraphBusNode, schema_method


class Team(GraphBusNode):
    @schema_method(input_schema={"who": str}, output_schema={"role": str})
    def member(self, who):
        return {"role": {"eve": "guest"}.get(who, "owner")}
