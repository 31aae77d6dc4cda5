from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class GateResult(TypedDict):
    opened: bool


class Gate(GraphBusNode):
    @depends_on("Camera.shoot")
    @schema_method
    def open_for(self, gate: str, brightness: float) -> GateResult:
        """Open the gate.

            >>> Gate().open_for(gate="g", brightness=0.3)
            {'opened': True}

        brightness: 0..1 (was `lux` of Camera.shoot until the camera changed)
        """
        # brightness = camera.shoot(gate)["lux"]
        return {"opened": 0.1 < brightness <= 1.0}
