import json

from graphbus_core import GraphBusNode, schema_method

PLANS = json.loads("""
{
  "small": {"steps": 6, "every": 2, "eval_strategy": "steps", "save_strategy": "no"},
  "long":  {"steps": 9, "every": 3, "eval_strategy": "end", "save_strategy": "steps"}
}
""")


class Plan(GraphBusNode):
    @schema_method(
        input_schema={"name": str},
        output_schema={"steps": int, "every": int, "eval_strategy": str, "save_strategy": str},
    )
    def read(self, name):
        plan = PLANS[name]
        if plan["every"] > plan["steps"]:
            raise ValueError("never evaluated")
        return plan
