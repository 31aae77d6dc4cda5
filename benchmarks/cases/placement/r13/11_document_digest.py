# stateful
"""The hash object is made once and updated by every document, so each digest covers all earlier ones."""
import hashlib

from graphbus_core import GraphBusNode, subscribe


class Sealer:
    def __init__(self, algorithm: str, salt: bytes) -> None:
        self.engine = hashlib.new(algorithm)
        self.engine.update(salt)

    def seal(self, *parts: str) -> str:
        for part in parts:
            self.engine.update(part.encode("utf-8"))
            self.engine.update(b"\x1f")
        return self.engine.hexdigest()[:20]


class DocumentSeal(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._sealer = Sealer("sha256", b"policy-archive")

    @subscribe("/Archive/Seal")
    def on_document(self, title: str, body: str) -> dict[str, str]:
        return {"title": title, "seal": self._sealer.seal(title, body.strip())}
