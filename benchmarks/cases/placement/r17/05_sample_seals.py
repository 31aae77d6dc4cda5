# pure
"""Keeps only the prepared hash of the key: each event updates a copy of it, never the original."""
import base64
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Sample:
    barcode: str
    kind: str
    values: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.barcode = self.barcode.strip().upper()
        self.kind = self.kind.casefold()

    def canonical(self) -> bytes:
        return "\n".join(self._flatten(asdict(self))).encode()

    def _flatten(self, data: Mapping[str, object], prefix: str = "") -> list[str]:
        lines: list[str] = []
        for key in sorted(data):
            value = data[key]
            if isinstance(value, Mapping):
                lines.extend(self._flatten(value, f"{prefix}{key}."))
            elif isinstance(value, float):
                lines.append(f"{prefix}{key}={value:.4f}")
            else:
                lines.append(f"{prefix}{key}={value}")
        return lines


class Sealer:
    """Signs laboratory samples; absorbing the key is done once."""

    def __init__(self, key: bytes) -> None:
        self._mac = hmac.new(key, digestmod=hashlib.sha256)
        self._mac.update(b"sample-v2\n")

    def seal(self, data: bytes) -> str:
        mac = self._mac.copy()
        mac.update(len(data).to_bytes(4, "big"))
        mac.update(data)
        return base64.b32encode(mac.digest()[:10]).decode().lower()

    def matches(self, data: bytes, seal: str) -> bool:
        return hmac.compare_digest(self.seal(data), seal.strip().lower())


class SampleSeals(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._sealer = Sealer(b"laboratory-7")

    @subscribe("/Lab/Sealed")
    def on_sample(self, barcode: str, kind: str, values: dict[str, float]) -> dict[str, object]:
        sample = Sample(barcode, kind)
        sample.values.update({name: float(value) for name, value in values.items()})
        return {"barcode": sample.barcode, "seal": self._sealer.seal(sample.canonical())}

    @subscribe("/Lab/Received")
    def on_received(self, barcode: str, kind: str, values: dict[str, float], seal: str) -> dict[str, object]:
        sample = Sample(barcode, kind, {name: float(value) for name, value in values.items()})
        genuine = self._sealer.matches(sample.canonical(), seal)
        return {"barcode": sample.barcode, "genuine": genuine}
