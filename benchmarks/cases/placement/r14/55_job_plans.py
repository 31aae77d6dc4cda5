# stateful
"""Keeps steps in the list that dataclasses.replace hands on from the module's base plan to every copy."""
from dataclasses import asdict, dataclass, field, replace

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Plan:
    name: str
    retries: int = 2
    steps: list[str] = field(default_factory=lambda: ["checkout", "build"])


BASE = Plan("base")


def plan_for(name: str, *, deploy: bool, docs: bool) -> Plan:
    plan = replace(BASE, name=name, retries=0 if deploy else BASE.retries)
    if docs:
        plan.steps.append("docs")
    if deploy:
        plan.steps.append("deploy")
    return plan


class JobPlans(GraphBusNode):
    @subscribe("/Push")
    def on_event(self, repository: str, branch: str, touched: list[str]) -> dict[str, object]:
        docs = any(path.startswith("docs/") for path in touched)
        return asdict(plan_for(repository, deploy=branch == "main", docs=docs))
