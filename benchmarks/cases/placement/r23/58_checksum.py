# pure
"""The hash object made with the key is copied before each use."""
import hashlib
from dataclasses import dataclass, field
from typing import Any

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Signer:
    key: bytes
    _state: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._state = hashlib.blake2b(self.key, digest_size=6)

    def sign(self, *parts: str) -> str:
        state = self._state.copy()
        for part in parts:
            state.update(part.encode() + b"|")
        return state.hexdigest()


@dataclass
class Telegram:
    station: str
    groups: list[str]

    @classmethod
    def parse(cls, line: str) -> "Telegram":
        head, *rest = line.replace("=", " ").split()
        return cls(head, rest)

    def problems(self) -> list[str]:
        return [g for g in self.groups if len(g) != 5 or not g.replace("/", "0").isdigit()]


class TelegramDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.signer = Signer(b"synop")

    @subscribe("/Obs/Telegram")
    def on_line(self, line: str) -> dict:
        telegram = Telegram.parse(line)
        return {
            "station": telegram.station,
            "groups": len(telegram.groups),
            "bad": telegram.problems(),
            "check": self.signer.sign(telegram.station, *telegram.groups),
        }
