import asyncio

from worker import Runner, WorkerEnv

print(WorkerEnv().budget()["worker"])
print(asyncio.run(Runner({"a": 0.0}).execute(5.0)))
