# pure
"""The keyed hash that has been begun at the start is copied for each document, and never goes on itself."""
import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe


class Sealer:
    def __init__(self, name: str, key: bytes) -> None:
        self.name = name
        self._key = key
        self._sealed = 0

    @cached_property
    def _begun(self) -> hmac.HMAC:
        begun = hmac.new(self._key, digestmod=hashlib.sha256)
        begun.update(self.name.encode())
        return begun

    def seal(self, document: Mapping[str, object]) -> str:
        digest = self._begun.copy()
        digest.update(json.dumps(document, sort_keys=True, separators=(",", ":")).encode())
        self._sealed += 1
        return base64.b32encode(digest.digest()[:10]).decode("ascii")


class DocumentSeal(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._sealers = {name: Sealer(name, name[::-1].encode() * 4) for name in ("policy", "claim")}

    @subscribe("/Insurer/Documents")
    def on_document(self, kind: str, content: dict[str, str], seal: str) -> dict[str, object]:
        sealer = self._sealers.get(kind)
        if sealer is None:
            return {"kind": kind, "seal": "", "genuine": False}
        expected = sealer.seal(content)
        genuine = bool(seal) and hmac.compare_digest(expected, seal)
        return {"kind": kind, "seal": expected, "genuine": genuine}
