# pure
"""Signs with copies of a keyed hash, and the encoder and the parser that are kept are put back before each use."""
import hashlib
import hmac
import json
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, subscribe

KEYS = {"shop": b"8f1c-blue", "desk": b"77aa-green"}


class Titles(HTMLParser):
    def reset(self) -> None:
        super().reset()
        self.inside = False
        self.found = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag == "title"

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found += data

    def of(self, html: str) -> str:
        self.reset()
        self.feed(html)
        return self.found.strip()


class WebhookSignature(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._signers = {name: hmac.new(key, digestmod=hashlib.sha256) for name, key in KEYS.items()}
        self._encoder = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
        self._titles = Titles()

    def _sign(self, client: str, body: str) -> str:
        signer = self._signers[client].copy()
        signer.update(len(body).to_bytes(4, "big"))
        signer.update(body.encode())
        return signer.hexdigest()

    @subscribe("/Hook/Send")
    def on_send(self, client: str, event: str, page: str) -> dict[str, str]:
        if client not in self._signers:
            return {"error": "client not known"}
        body = self._encoder.encode({"event": event, "title": self._titles.of(page)})
        return {"body": body, "signature": self._sign(client, body)}
