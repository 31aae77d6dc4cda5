# pure
"""Keeps nothing: the registry is filled by the class statements when the module loads."""
import base64
import json
from typing import Any, ClassVar

from graphbus_core import GraphBusNode, subscribe


class Codec:
    registry: ClassVar[dict[str, type["Codec"]]] = {}
    name: ClassVar[str]

    def __init_subclass__(cls, /, name: str, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.name = name
        Codec.registry[name] = cls

    def decode(self, raw: str) -> Any:
        raise NotImplementedError

    def encode(self, value: Any) -> str:
        raise NotImplementedError


class JsonCodec(Codec, name="json"):
    def decode(self, raw: str) -> Any:
        return json.loads(raw)

    def encode(self, value: Any) -> str:
        return json.dumps(value, sort_keys=True)


class Base64Json(JsonCodec, name="b64"):
    def decode(self, raw: str) -> Any:
        return super().decode(base64.b64decode(raw, validate=True).decode())

    def encode(self, value: Any) -> str:
        return base64.b64encode(super().encode(value).encode()).decode()


class KeyValue(Codec, name="kv"):
    def decode(self, raw: str) -> dict[str, str]:
        pairs = (part.split("=", 1) for part in raw.split(";") if part.strip())
        return {key.strip(): value.strip() for key, value in pairs}

    def encode(self, value: Any) -> str:
        if not isinstance(value, dict):
            raise ValueError("kv needs an object")
        return ";".join(f"{key}={value[key]}" for key in sorted(value))


def codec(name: str) -> Codec:
    try:
        return Codec.registry[name]()
    except KeyError:
        raise ValueError(f"codec {name!r}, one of {', '.join(sorted(Codec.registry))}") from None


class Transcoder(GraphBusNode):
    @subscribe("/message/transcode")
    def on_message(self, raw: str, source: str, target: str) -> dict[str, str]:
        try:
            value = codec(source).decode(raw)
            return {"codec": target, "raw": codec(target).encode(value)}
        except ValueError as error:
            return {"error": str(error)}
