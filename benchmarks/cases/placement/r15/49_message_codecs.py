# pure
"""Keeps a register of codecs, which is filled while the module is loaded and never after."""
import base64
import binascii
import json
import zlib
from abc import ABC, abstractmethod
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe


class Codec(ABC):
    registry: ClassVar[dict[str, "Codec"]] = {}
    name: ClassVar[str]

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        Codec.registry[cls.name] = cls()

    def __init__(self) -> None:
        self.last_size = 0

    @abstractmethod
    def encode(self, data: bytes) -> str: ...

    def measured(self, data: bytes) -> tuple[str, int]:
        text = self.encode(data)
        self.last_size = len(text)
        return text, self.last_size


class Hex(Codec):
    name = "hex"

    def encode(self, data: bytes) -> str:
        return binascii.hexlify(data, "-", 4).decode()


class Base85(Codec):
    name = "b85"

    def encode(self, data: bytes) -> str:
        return base64.b85encode(data).decode()


class Packed(Codec):
    name = "zip"

    def encode(self, data: bytes) -> str:
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        return base64.urlsafe_b64encode(packer.compress(data) + packer.flush()).decode().rstrip("=")


class MessageCodecs(GraphBusNode):
    @subscribe("/Gateway/Outgoing")
    def on_outgoing(self, codec: str, fields: dict[str, int]) -> dict[str, object]:
        data = json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()
        chosen = Codec.registry.get(codec)
        if chosen is None:
            sizes = {name: other.measured(data)[1] for name, other in Codec.registry.items()}
            chosen = Codec.registry[min(sizes, key=lambda name: (sizes[name], name))]
        text, size = chosen.measured(data)
        return {"codec": chosen.name, "text": text, "size": size, "check": f"{zlib.adler32(data):08x}"}
