# pure
"""The hash that is prepared with the bank's prefix is copied before an event's bytes go in."""
import hashlib
from collections.abc import Iterable
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


class Digest(Protocol):
    def update(self, data: bytes, /) -> None: ...

    def copy(self) -> "Digest": ...

    def hexdigest(self) -> str: ...


class Seal:
    """Seals records; the long prefix is hashed once, as it is the same for all of them."""

    def __init__(self, prefix: str) -> None:
        self._base: Digest = hashlib.sha256(prefix.encode() * 64)

    def __call__(self, fields: Iterable[str]) -> str:
        digest = self._base.copy()
        for field in fields:
            raw = field.encode("utf-8", "surrogatepass")
            digest.update(len(raw).to_bytes(4, "big"))
            digest.update(raw)
        return digest.hexdigest()[:16]


class ChainMixin:
    seal: Seal

    def chain(self, records: Iterable[str]) -> list[str]:
        previous, seals = "", []
        for record in records:
            previous = self.seal((previous, record))
            seals.append(previous)
        return seals


class LedgerSeals(ChainMixin, GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.seal = Seal("sparkasse-am-markt")

    @subscribe("/Ledger/Page")
    def on_page(self, page: int, records: list[str]) -> dict[str, object]:
        seals = self.chain([f"page {page}", *records])
        return {"page": page, "seal": seals[-1], "records": len(records)}

    @subscribe("/Ledger/Verify")
    def on_verify(self, page: int, records: list[str], seal: str) -> bool:
        return self.chain([f"page {page}", *records])[-1] == seal
