from graphbus_core import GraphBusNode, schema_method

EVENTS = [
    {"t": "MESSAGE_CREATE", "d": {"author": {"id": "80351110224678912"}, "content": "buy now"}},
    {"t": "MESSAGE_CREATE", "d": {"author": {"id": "80351110224678999"}, "content": "hello"}},
]


class Gateway(GraphBusNode):
    SYSTEM_PROMPT = "I read the socket."

    @schema_method(input_schema={"index": int}, output_schema={"author_id": str, "content": str})
    def message(self, index):
        data = EVENTS[index]["d"]
        return {"author_id": data["author"]["id"], "content": data["content"]}
