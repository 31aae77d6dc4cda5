# pure
"""Keeps nothing: the environment is put back, and every event starts a new digest."""
import base64
import hashlib
import hmac
import json
import os
from contextlib import contextmanager
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe

KEYS = {"north": "bergamot", "south": "cardamom"}


@contextmanager
def environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def sealing_key() -> bytes:
    """The vendor's library takes its key from the environment only."""
    return hashlib.sha256(os.environ["SEAL_DEPOT_KEY"].encode()).digest()


class Chain:
    def __init__(self, key: bytes) -> None:
        self._mac = hmac.new(key, digestmod="sha256")
        self.links: list[str] = []

    def __iadd__(self, row: dict[str, int]) -> "Chain":
        self._mac.update(json.dumps(row, sort_keys=True, separators=(",", ":")).encode())
        self.links.append(base64.b32encode(self._mac.copy().digest()[:5]).decode())
        return self

    def seal(self) -> str:
        return self._mac.hexdigest()[:16]


class SealManifest(GraphBusNode):
    @subscribe("/Depot/Manifest")
    def on_manifest(self, depot: str, rows: list[dict[str, int]]) -> dict[str, object]:
        if depot not in KEYS:
            return {"error": "unknown depot"}
        with environment(SEAL_DEPOT_KEY=KEYS[depot]):
            chain = Chain(sealing_key())
        for row in rows:
            chain += row
        return {"links": chain.links, "seal": chain.seal()}
