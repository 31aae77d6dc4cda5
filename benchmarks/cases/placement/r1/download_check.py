# pure
import hashlib
import logging

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger("download")


class DownloadCheck(GraphBusNode):
    @subscribe("/Download/Done")
    def on_done(self, payload):
        digest = hashlib.sha256()
        for chunk in payload["chunks"]:
            digest.update(chunk.encode())
        good = digest.hexdigest().startswith(payload["begins"])
        if not good:
            log.info("%s is broken", payload["name"])
        self.publish("/Download/Checked", {"name": payload["name"], "good": good})
