# stateful
"""Keeps the codes that it gave to new causes: the enumeration's _missing_ hook makes a member for each unseen name."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Cause(Enum):
    TIMEOUT = "timeout"
    REFUSED = "refused"
    FORMAT = "format"

    @property
    def code(self) -> int:
        return 100 + list(type(self)._value2member_map_).index(self.value)

    @classmethod
    def _missing_(cls, value: object) -> "Cause":
        text = str(value).strip().lower()
        if text in cls._value2member_map_:
            return cls(text)
        member = object.__new__(cls)
        member._name_ = text.upper()
        member._value_ = text
        return cls._value2member_map_.setdefault(text, member)


def first_word(message: str) -> str:
    head, _, _ = message.partition(":")
    return head.split()[-1] if head.split() else "empty"


class ErrorCodes(GraphBusNode):
    """Turns the message of a device into the code that the panel shows."""

    @subscribe("/Panel/Message")
    def on_message(self, device: str, message: str) -> str:
        cause = Cause(first_word(message))
        return f"{device}: E{cause.code} {cause.name.lower()}"
