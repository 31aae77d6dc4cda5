from graphbus_core import GraphBusNode, depends_on, schema_method


class Bookmark(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.last = {}

    @depends_on("Reader.chapter")
    @schema_method(input_schema={"position": int}, output_schema={"kept": int})
    def put(self, position):
        self.last = dict(position=position)
        return {"kept": position}

    def get_state(self):
        return self.last

    def set_state(self, state):
        self.put(**state)
