from graphbus_core import GraphBusNode, publishes, schema_method, subscribe


class Upload(GraphBusNode):
    @publishes("/File/In", {"name": str, "content_type": str, "charset": str})
    def receive(self, name: str):
        self.publish("/File/In", {"name": name, "content_type": "image/png", "charset": "binary"})


class Storage(GraphBusNode):
    def __init__(self):
        self.headers = {}

    @subscribe("/File/In")
    @schema_method(input_schema={"name": str, "mimetype": str})
    def put(self, payload):
        self.headers[payload["name"]] = {"Content-Type": payload["mimetype"]}
