from graphbus_core import GraphBusNode, depends_on, schema_method


class Queue(GraphBusNode):
    @schema_method(input_schema={"fn": str}, output_schema={"queue_id": str, "job_id": str})
    def enqueue(self, fn):
        return {"queue_id": "default", "job_id": f"j-{fn}"}


class Monitor(GraphBusNode):
    STATES = {"j-mail": "done"}

    @depends_on("Queue.enqueue")
    @schema_method(input_schema={"task_id": str}, output_schema={"state": str})
    def watch(self, task_id):
        return {"state": self.STATES.get(task_id, "unknown")}
