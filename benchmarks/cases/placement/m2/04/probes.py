from graphbus_core import GraphBusNode, subscribe

import wire


class SoilProbe(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Farm/Probe/Frame")
    def on_frame(self, probe: str, frame: str) -> dict[str, object]:
        raw = wire.unhex(frame)
        payload, check = raw[:-1], raw[-1]
        if wire.parity(payload) != check:
            return {"probe": probe, "error": "check"}
        temp, moisture, light, battery = wire.decode(payload)
        return {"probe": probe, "temp": temp / 100, "moisture": moisture / 10, "light": light, "battery": battery}
