# pure
from graphbus_core import GraphBusNode, subscribe

SCHEMA = {
    "name": str,
    "age": int,
    "address": {"street": str, "zip": str},
}


class SchemaErrors(GraphBusNode):
    """Walks a document along the schema and lists everything that is wrong."""

    def __init__(self):
        super().__init__()
        self.errors = []
        self.path = []

    def complain(self, text):
        self.errors.append(f"{'.'.join(self.path) or '/'}: {text}")

    def walk(self, value, schema):
        if not isinstance(schema, dict):
            if not isinstance(value, schema):
                self.complain(f"not {schema.__name__}")
            return
        if not isinstance(value, dict):
            self.complain("not an object")
            return
        for key, inner in schema.items():
            self.path.append(key)
            if key in value:
                self.walk(value[key], inner)
            else:
                self.complain("missing")
            self.path.pop()

    @subscribe("/Document/Uploaded")
    def on_uploaded(self, payload):
        self.errors = []
        self.path = []
        self.walk(payload["document"], SCHEMA)
        self.publish("/Document/Checked", {"ok": not self.errors, "errors": self.errors})
