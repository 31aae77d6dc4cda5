from graphbus_core import GraphBusNode, schema_method

SHUT, OPEN, AJAR = range(3)


class Door(GraphBusNode):
    def __init__(self, contacts=(True, False)):
        super().__init__()
        self.contacts = contacts

    @schema_method(input_schema={}, output_schema={"open": int})
    def state(self):
        upper, lower = self.contacts
        return {"open": AJAR if upper != lower else OPEN if upper else SHUT}
