from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class TopologyResult(TypedDict):
    n_atoms: int
    atom_names: list[str]
    n_residues: int


class Topology(GraphBusNode):
    @schema_method
    def read(self, name: str) -> TopologyResult:
        return {"n_atoms": 3, "atom_names": ["O", "H", "H"], "n_residues": 1}
