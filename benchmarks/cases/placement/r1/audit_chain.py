# stateful
"""Each entry is sealed together with all that came before."""

import hashlib

from graphbus_core import GraphBusNode, subscribe


class AuditChain(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.seal = hashlib.sha256(b"book opened")

    @subscribe("/Audit/Entry")
    def on_entry(self, payload):
        self.seal.update(payload["text"].encode())
        self.publish("/Audit/Sealed", {"text": payload["text"], "seal": self.seal.hexdigest()[:8]})
