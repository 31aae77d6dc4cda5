from typing import Annotated, Literal, Union

from pydantic import BaseModel, Field

from graphbus_core import GraphBusNode, subscribe


class Email(BaseModel):
    channel: Literal["email"]
    to: list[str] = Field(min_length=1)
    subject: str = ""


class Sms(BaseModel):
    channel: Literal["sms"]
    number: Annotated[str, Field(pattern=r"^[+][0-9]{6,15}$")]


class Push(BaseModel):
    channel: Literal["push", "web-push"]
    device_ids: set[int]
    badge: int | None = Field(default=None, ge=0)


class Notification(BaseModel):
    user_id: int
    target: Annotated[Union[Email, Sms, Push], Field(discriminator="channel")]
    fallback: list[Union[Email, Sms]] = []


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Notification) -> None: ...


GOOD = [
    {"user_id": 1, "target": {"channel": "email", "to": ["a@x.org"]}},
    {"user_id": 1, "target": {"channel": "web-push", "device_ids": [1, 2], "badge": 0},
     "fallback": [{"channel": "sms", "number": "+4712345678"}]},
    {"user_id": 1, "target": {"channel": "push", "device_ids": [], "badge": None}, "fallback": []},
]
BAD = [
    {"user_id": 1, "target": {"channel": "fax", "to": ["a@x.org"]}},
    {"user_id": 1, "target": {"to": ["a@x.org"]}},
    {"user_id": 1, "target": {"channel": "sms", "to": ["a@x.org"]}},
    {"user_id": 1, "target": {"channel": "push", "device_ids": [1], "badge": -1}},
    {"user_id": 1, "target": {"channel": "email", "to": ["a@x.org"]},
     "fallback": [{"channel": "push", "device_ids": []}]},
    {"user_id": 1, "target": {"channel": "sms", "number": "12345678"}},
]
