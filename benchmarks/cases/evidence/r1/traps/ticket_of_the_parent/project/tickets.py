from graphbus_core import GraphBusNode, depends_on, schema_method

CLOSED: list[int] = []


class Tracker(GraphBusNode):
    @schema_method(input_schema={"title": str}, output_schema={"parent_id": int, "title": str})
    def subtask(self, title):
        return {"parent_id": 1, "title": title}


class Closer(GraphBusNode):
    @depends_on("Tracker.subtask")
    @schema_method(input_schema={"id": int}, output_schema={"closed": int})
    def close(self, id):
        CLOSED.append(id)
        return {"closed": id}
