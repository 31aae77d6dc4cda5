from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class DeployerResult(TypedDict):
    said: str


class Deployer(GraphBusNode):
    @depends_on("Builder.build")
    @schema_method
    def roll(self, tag: str, replicas: int = 2) -> DeployerResult:
        return {"said": f"{replicas}x {tag}"}
