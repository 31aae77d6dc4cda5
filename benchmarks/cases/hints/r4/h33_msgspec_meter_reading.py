from datetime import datetime
from typing import Annotated, Optional

import msgspec

from graphbus_core import GraphBusNode, subscribe

Percent = Annotated[float, msgspec.Meta(ge=0, le=100)]
Serial = Annotated[str, msgspec.Meta(pattern="^M[0-9]{4}$")]


class Register(msgspec.Struct):
    obis: str
    kwh: Annotated[int, msgspec.Meta(ge=0)]


class MeterReading(msgspec.Struct, kw_only=True, rename="camel"):
    meter_serial: Serial
    read_at: datetime
    battery_level: Optional[Percent] = None
    registers: Annotated[list[Register], msgspec.Meta(min_length=1)]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: MeterReading) -> None: ...


GOOD = [
    {"meterSerial": "M0001", "readAt": "2024-05-01T10:00:00+00:00", "registers": [{"obis": "1.8.0", "kwh": 0}]},
    {"meterSerial": "M0001", "readAt": "2024-05-01T10:00:00Z", "batteryLevel": 100,
     "registers": [{"obis": "1.8.0", "kwh": 10}, {"obis": "2.8.0", "kwh": 20}]},
    {"meterSerial": "M0001", "readAt": "2024-05-01T10:00:00+00:00", "batteryLevel": None,
     "registers": [{"obis": "1.8.0", "kwh": 5, "unit": "kWh"}]},
]
BAD = [
    {"meter_serial": "M0001", "read_at": "2024-05-01T10:00:00+00:00", "registers": [{"obis": "1", "kwh": 0}]},
    {"meterSerial": "X0001", "readAt": "2024-05-01T10:00:00+00:00", "registers": [{"obis": "1.8.0", "kwh": 0}]},
    {"meterSerial": "M0001", "readAt": "2024-05-01T10:00:00+00:00", "registers": []},
    {"meterSerial": "M0001", "readAt": "2024-05-01T10:00:00+00:00", "registers": [{"obis": "1.8.0", "kwh": -1}]},
    {"meterSerial": "M0001", "readAt": "2024-05-01T10:00:00+00:00", "batteryLevel": 100.5,
     "registers": [{"obis": "1.8.0", "kwh": 0}]},
    {"meterSerial": "M0001", "readAt": "2024-05-01T10:00:00+00:00", "registers": [{"obis": "1.8.0", "kwh": "0"}]},
]
