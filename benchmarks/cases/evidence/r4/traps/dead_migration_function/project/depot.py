from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Weighed(TypedDict):
    pallet: str
    mass_kg: float      # with the pallet since the new scales
    tare_kg: float


class Depot(GraphBusNode):
    @schema_method
    def weigh(self, pallet: str) -> Weighed:
        return {"pallet": pallet, "mass_kg": 420.0, "tare_kg": 20.0}
