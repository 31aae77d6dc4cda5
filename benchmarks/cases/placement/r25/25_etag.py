# pure
"""Keeps a hash of the fixed prefix and copies it for every document."""
import base64
import hashlib
import json
import zlib
from email.utils import quote

from graphbus_core import GraphBusNode, subscribe


class EtagMaker(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._prefix = hashlib.blake2b(digest_size=12, person=b"etag-v2")
        self._prefix.update(b"site=example\0")

    def _tag(self, body: bytes) -> str:
        h = self._prefix.copy()
        h.update(body)
        return base64.urlsafe_b64encode(h.digest()).decode()

    @subscribe("/web/document")
    def on_document(self, path: str, body: str) -> dict[str, object]:
        data = body.encode("utf-8")
        packed = zlib.compress(data, level=9)
        use_packed = len(packed) < len(data)
        headers = {
            "ETag": f'"{quote(self._tag(data))}"',
            "Content-Length": len(packed) if use_packed else len(data),
            "Content-Location": path,
        }
        if use_packed:
            headers["Content-Encoding"] = "deflate"
        return {"headers": json.dumps(headers, sort_keys=True)}
