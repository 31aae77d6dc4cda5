from contextlib import contextmanager

from graphbus_core import GraphBusNode, schema_method


class Profile(GraphBusNode):
    encoding = "latin-1"

    @schema_method(input_schema={}, output_schema={"encoding": str, "on_error": str})
    def get(self):
        return {"encoding": self.encoding, "on_error": "utf-8"}


@contextmanager
def profile():
    node = Profile()
    try:
        yield node.get()
    finally:
        node.on_stop()
