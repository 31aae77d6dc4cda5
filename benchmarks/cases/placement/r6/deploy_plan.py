# pure
"""The blueprints are copied to the bottom before anything is added to them."""
from copy import deepcopy

from graphbus_core import GraphBusNode, subscribe

BLUEPRINTS = {
    "web": {"replicas": 2, "env": {"LOG": "info"}, "ports": [8080], "mounts": []},
    "worker": {"replicas": 1, "env": {"LOG": "warning", "POOL": "4"}, "ports": [], "mounts": ["/spool"]},
}


def merge(base: dict, extra: dict) -> dict:
    for key, value in extra.items():
        if isinstance(value, dict) and isinstance(base.get(key), dict):
            merge(base[key], value)
        elif isinstance(value, list) and isinstance(base.get(key), list):
            base[key] += value
        else:
            base[key] = value
    return base


class DeployPlan(GraphBusNode):
    STAGES = {"prod": {"replicas": 4}, "test": {"env": {"LOG": "debug"}}}

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/deploy")
    def on_deploy(self, kind: str, stage: str, overrides: dict[str, object]) -> dict[str, object]:
        if kind not in BLUEPRINTS:
            return {"error": f"no blueprint {kind}"}
        plan = deepcopy(BLUEPRINTS[kind])
        merge(plan, deepcopy(self.STAGES.get(stage, {})))
        merge(plan, overrides)
        plan["name"] = f"{kind}-{stage}"
        return plan
