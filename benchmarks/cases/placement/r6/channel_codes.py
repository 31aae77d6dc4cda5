# stateful
"""A name the Enum does not know is made a member with the next free number, and stays one."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Channel(Enum):
    WEB = "web"
    SHOP = "shop"
    PHONE = "phone"

    @classmethod
    def _missing_(cls, value: object) -> "Channel":
        if not isinstance(value, str):
            raise ValueError(value)
        member = object.__new__(cls)
        member._name_ = value.upper()
        member._value_ = value
        cls._member_map_[member._name_] = member
        cls._value2member_map_[value] = member
        cls._member_names_.append(member._name_)
        return member

    @property
    def code(self) -> int:
        return 10 + list(type(self)).index(self)


class ChannelCodes(GraphBusNode):
    """Writes the order row for the mainframe, which knows channels as numbers."""

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/order/placed")
    def on_placed(self, order: int, channel: str, cents: int) -> dict[str, str]:
        code = Channel(channel.strip().lower()).code
        return {"row": f"{order:08d}{code:02d}{cents:010d}"}
