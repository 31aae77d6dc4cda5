"""Runs jobs with a budget of time for each."""
import asyncio
import shlex

from graphbus_core import GraphBusNode, depends_on, schema_method

JOBS = {"fast": 0.0, "slow": 30.0}


class WorkerEnv(GraphBusNode):
    def __init__(self, text="WORKER_TIMEOUT=0.05 WORKER_NAME='west 1'"):
        super().__init__()
        self.env = dict(word.split("=", 1) for word in shlex.split(text))

    @schema_method(input_schema={}, output_schema={"worker": str, "timeout": str})
    def budget(self):
        return {"worker": self.env["WORKER_NAME"], "timeout": self.env["WORKER_TIMEOUT"]}


class Runner(GraphBusNode):
    def __init__(self, jobs=JOBS):
        super().__init__()
        self.jobs = jobs

    async def job(self, name):
        await asyncio.sleep(self.jobs[name])
        return name

    @depends_on("WorkerEnv.budget")
    @schema_method(input_schema={"timeout": float}, output_schema={"done": list, "late": list})
    async def execute(self, timeout):
        done, late = [], []
        for name in self.jobs:
            try:
                done.append(await asyncio.wait_for(self.job(name), timeout + 0))
            except asyncio.TimeoutError:
                late.append(name)
        return {"done": done, "late": late}
