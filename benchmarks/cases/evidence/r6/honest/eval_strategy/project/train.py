from loop import Loop
from plan import Plan

plan = Plan().read("long")
result = Loop().fit(plan["steps"], plan["every"], plan["eval_strategy"])
print(result["evals"], result["loss"])
