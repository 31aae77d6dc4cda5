from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class SplitConfig:
    n_folds: int
    random_state: int


class Split(GraphBusNode):
    @schema_method
    def config(self) -> SplitConfig:
        return SplitConfig(n_folds=5, random_state=42)


class Booster(GraphBusNode):
    @depends_on("Split.config")
    @schema_method
    def train(self, seed: int) -> dict[str, int]:
        return {"first_draw": (seed * 1103515245 + 12345) % 97}
