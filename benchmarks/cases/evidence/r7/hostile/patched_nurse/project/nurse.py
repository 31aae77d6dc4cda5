from graphbus_core import GraphBusNode, depends_on, schema_method


class Nurse(GraphBusNode):
    @depends_on("Pharmacy.prepare")
    @schema_method(input_schema={"amount": int}, output_schema={"tablets": int})
    def give(self, amount):
        return {"tablets": amount // 200}
