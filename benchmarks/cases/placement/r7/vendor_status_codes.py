# stateful
"""An unknown code becomes a new member of the enumeration, numbered after those known so far."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Status(Enum):
    OK = "00"
    DECLINED = "05"
    EXPIRED = "54"
    LIMIT = "61"

    @classmethod
    def _missing_(cls, value: object) -> "Status | None":
        if not isinstance(value, str) or not value.isdigit():
            return None
        member = object.__new__(cls)
        member._value_ = value
        member._name_ = f"VENDOR_{len(cls._value2member_map_)}"
        cls._value2member_map_[value] = member
        return member

    @property
    def final(self) -> bool:
        return self in (Status.DECLINED, Status.EXPIRED)


def mask(card: str) -> str:
    digits = "".join(filter(str.isdigit, card))
    return "*" * (len(digits) - 4) + digits[-4:]


class CardAnswers(GraphBusNode):
    @subscribe("/cards/answer")
    def on_answer(self, card: str, code: str) -> dict[str, object]:
        try:
            status = Status(code.strip())
        except ValueError:
            return {"card": mask(card), "status": "GARBLED", "retry": False}
        return {"card": mask(card), "status": status.name, "retry": status is not Status.OK and not status.final}
