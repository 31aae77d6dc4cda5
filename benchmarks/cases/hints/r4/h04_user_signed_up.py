from typing import Literal, NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Consent(TypedDict):
    marketing: bool
    terms_version: int


class UserSignedUp(TypedDict):
    user_id: int
    email: str
    locale: Literal["en", "de", "fr"]
    referrer: NotRequired[str]
    phone: str | None
    consent: NotRequired[Consent]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: UserSignedUp) -> None: ...


GOOD = [
    {"user_id": 1, "email": "a@example.org", "locale": "en", "phone": None},
    {"user_id": 1, "email": "a@example.org", "locale": "de", "phone": "+49 1", "referrer": "ad"},
    {"user_id": 1, "email": "a@example.org", "locale": "fr", "phone": None,
     "consent": {"marketing": False, "terms_version": 3}},
]
BAD = [
    {"user_id": 1, "email": "a@example.org", "locale": "en"},
    {"user_id": 1, "email": "a@example.org", "locale": "EN", "phone": None},
    {"user_id": 1, "email": "a@example.org", "locale": "en", "phone": None, "referrer": None},
    {"user_id": 1, "email": "a@example.org", "locale": "en", "phone": None,
     "consent": {"marketing": 1, "terms_version": 3}},
    {"user_id": 1, "email": ["a@example.org"], "locale": "en", "phone": None},
]
