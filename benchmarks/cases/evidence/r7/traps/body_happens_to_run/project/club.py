from graphbus_core import GraphBusNode, schema_method


class Club(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"ids": list[str], "nicknames": list[str], "legal_names": list[str]})
    def members(self):
        return {"ids": ["m2", "m9"], "nicknames": ["Kiki", "Bo"], "legal_names": ["K. Amrein", "B. Roth"]}
