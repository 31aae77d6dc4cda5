# pure
import hashlib

from graphbus_core import GraphBusNode, subscribe


class SealMaker(GraphBusNode):
    @subscribe("/Parts/Joined")
    def on(self, payload):
        digest = hashlib.sha256()
        for part in payload["parts"]:
            digest.update(part.encode())
        self.publish("/Seal/Made", {"seal": digest.hexdigest()[:12]})
