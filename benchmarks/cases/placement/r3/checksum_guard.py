# pure
import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor

from graphbus_core import GraphBusNode, subscribe


class ChecksumGuard(GraphBusNode):
    """Hashes the blocks of a firmware image in a few threads."""

    def __init__(self, workers=2):
        super().__init__()
        self._workers = workers
        self._lock = threading.Lock()

    def _block(self, number, data, table):
        digest = hashlib.sha256()
        for start in range(0, len(data), 64):
            digest.update(data[start:start + 64].encode())
        with self._lock:
            table[number] = digest.hexdigest()[:16]

    @subscribe("/Firmware/Image")
    def on_image(self, payload):
        table = {}
        with ThreadPoolExecutor(self._workers) as pool:
            for number, data in enumerate(payload["blocks"]):
                pool.submit(self._block, number, data, table)
        whole = hashlib.sha256("".join(table[n] for n in sorted(table)).encode())
        self.publish("/Firmware/Checksum", {"version": payload["version"],
                                            "sum": whole.hexdigest()[:16]})
