from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from graphbus_core import GraphBusNode, subscribe


class Wire(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)


class DeviceInfo(Wire):
    serial_number: str
    os_version: tuple[int, int] | None = None


class DeviceRegistered(Wire):
    device_id: int
    registered_at: datetime
    owner: str = Field(alias="ownerRef")
    device_info: DeviceInfo
    previous_ids: list[int] = Field(default_factory=list)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: DeviceRegistered) -> None: ...


GOOD = [
    {"deviceId": 1, "registeredAt": "2024-05-01T10:00:00+00:00", "ownerRef": "u1",
     "deviceInfo": {"serialNumber": "S1"}},
    {"deviceId": 1, "registeredAt": "2024-05-01T10:00:00+00:00", "ownerRef": "u1",
     "deviceInfo": {"serialNumber": "S1", "osVersion": [14, 2]}, "previousIds": [3, 4]},
    {"deviceId": 1, "registeredAt": "2024-05-01T10:00:00+00:00", "ownerRef": "u1",
     "deviceInfo": {"serialNumber": "S1", "osVersion": None}, "device_id": "ignored"},
]
BAD = [
    {"device_id": 1, "registered_at": "2024-05-01T10:00:00+00:00", "owner": "u1",
     "device_info": {"serial_number": "S1"}},
    {"deviceId": 1, "registeredAt": "2024-05-01T10:00:00+00:00", "owner": "u1",
     "deviceInfo": {"serialNumber": "S1"}},
    {"deviceId": 1, "registeredAt": "2024-05-01T10:00:00+00:00", "ownerRef": "u1",
     "deviceInfo": {"serial_number": "S1"}},
    {"deviceId": 1, "registeredAt": "2024-05-01T10:00:00+00:00", "ownerRef": "u1",
     "deviceInfo": {"serialNumber": "S1", "osVersion": [14]}},
    {"deviceId": 1, "registeredAt": "2024-05-01T10:00:00+00:00", "ownerRef": "u1",
     "deviceInfo": {"serialNumber": "S1"}, "previousIds": ["a"]},
]
