from graphbus_core import GraphBusNode, schema_method


class Cuff(GraphBusNode):
    @schema_method(input_schema={"arm": str}, output_schema={"diastolic": int, "systolic": int})
    def measure(self, arm):
        return {"diastolic": 80, "systolic": 120 if arm == "left" else 210}
