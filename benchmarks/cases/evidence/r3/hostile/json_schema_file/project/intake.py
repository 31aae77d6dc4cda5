from graphbus_core import GraphBusNode, publishes, schema_method


class Intake(GraphBusNode):
    @publishes("/Shelter/Intake", {"animal": str, "age": int})
    @schema_method(input_schema={"note": str}, output_schema={"animal": str, "age": int})
    def register(self, note):
        animal, age = note.split(",")
        return {"animal": animal.strip(), "age": int(age)}
