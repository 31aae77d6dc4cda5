"""validation_alias with AliasChoices and AliasPath: a field read from deep inside the payload."""
from pydantic import AliasChoices, AliasPath, BaseModel, Field

from graphbus_core import GraphBusNode, subscribe


class Contact(BaseModel):
    email: str = Field(validation_alias=AliasChoices("email", "e_mail", "mail"))
    city: str = Field(validation_alias=AliasPath("address", "city"))
    phone: int | None = Field(default=None, validation_alias=AliasPath("phones", 0))


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Contact) -> None:
        self.got = payload


GOOD = [
    {"mail": "a@b.c", "address": {"city": "Rome"}},
    {"e_mail": "a@b.c", "address": {"city": "Rome"}, "phones": [555, 666]},
    {"email": "a@b.c", "address": {"city": "Rome", "zip": 1}, "phones": []},
]
BAD = [
    {"mail": "a@b.c", "city": "Rome"},
    {"Email": "a@b.c", "address": {"city": "Rome"}},
    {"mail": "a@b.c", "address": {"town": "Rome"}},
    {"mail": "a@b.c", "address": {"city": 5}},
    {"mail": "a@b.c", "address": {"city": "Rome"}, "phones": ["home"]},
]
