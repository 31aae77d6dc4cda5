# stateful
"""Keeps a running digest: every entry's seal covers all entries before it."""
import hashlib
import json
from typing import Any

from graphbus_core import GraphBusNode, subscribe

SECRET_FIELDS = {"password", "token", "pin"}


def mask(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: "***" if k in SECRET_FIELDS else mask(v) for k, v in value.items()}
    if isinstance(value, list):
        return [mask(item) for item in value]
    return value


def canonical(record: dict[str, Any]) -> bytes:
    return json.dumps(mask(record), sort_keys=True, separators=(",", ":")).encode()


class Sealer:
    def __init__(self, label: str) -> None:
        self._hash = hashlib.blake2b(label.encode(), digest_size=12)

    def seal(self, entry: bytes) -> str:
        self._hash.update(len(entry).to_bytes(4, "big"))
        self._hash.update(entry)
        return self._hash.hexdigest()


class AuditEntries(GraphBusNode):
    """Seals the entries of the audit log."""

    def __init__(self) -> None:
        super().__init__()
        self.sealer = Sealer("audit-v1")

    @subscribe("/Audit/Entry")
    def on_entry(self, actor: str, action: str, details: dict[str, Any]) -> dict[str, Any]:
        record = {"actor": actor, "action": action, "details": details}
        entry = canonical(record)
        return {"entry": entry.decode(), "seal": self.sealer.seal(entry)}
