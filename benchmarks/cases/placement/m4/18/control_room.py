from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

import hydraulics


class LeakWatch(GraphBusNode):
    @subscribe("/Water/NightFlow")
    def on_flow(self, zone: str, flow: float) -> dict:
        alarm = hydraulics.leak(zone, flow)
        return {"zone": zone, "alarm": alarm}


class PressureWatch(GraphBusNode):
    @subscribe("/Water/Pressure")
    def on_pressure(self, zone: str, bars: list[float]) -> dict:
        states = [hydraulics.pressure_state(zone, b) for b in bars]
        changes = sum(a != b for a, b in zip(states, states[1:]))
        return {"zone": zone, "states": states, "alarm": "surge" if changes > 2 else None}
