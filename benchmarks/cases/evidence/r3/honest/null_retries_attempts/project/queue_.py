from graphbus_core import GraphBusNode, publishes, schema_method


class Queue(GraphBusNode):
    def __init__(self, jobs):
        super().__init__()
        self.jobs = sorted(jobs, reverse=True)

    @publishes("/Queue/Popped", {"job": str, "priority": int, "attempts": int})
    @schema_method(input_schema={}, output_schema={"job": str, "priority": int, "attempts": int})
    def pop(self):
        priority, attempts, job = self.jobs.pop(0)
        return {"job": job, "priority": priority, "attempts": attempts}
