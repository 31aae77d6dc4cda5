# pure
"""The prepared hash object is only copied, never updated."""
import hashlib
import json

from graphbus_core import GraphBusNode, subscribe


class KeyMaker:
    def __init__(self, realm: str) -> None:
        self._prepared = hashlib.sha256(realm.encode())

    def key(self, payload: bytes) -> str:
        engine = self._prepared.copy()
        engine.update(len(payload).to_bytes(4, "big"))
        engine.update(payload)
        return engine.hexdigest()


class ArchiveKeys(GraphBusNode):
    """Gives every document the name under which the archive files it."""

    def __init__(self) -> None:
        super().__init__()
        self.makers = {realm: KeyMaker(realm) for realm in ("claims", "contracts", "mail")}

    @subscribe("/Archive/Name")
    def name(self, realm: str, year: int, fields: dict[str, str]) -> dict[str, str]:
        maker = self.makers.get(realm) or self.makers["mail"]
        payload = json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()
        digest = maker.key(payload)
        folder = f"{realm}/{year}/{digest[:2]}"
        return {"folder": folder, "name": f"{digest[2:18]}.json", "size": str(len(payload))}
