# pure
"""Drops double documents within one delivery."""
from graphbus_core import GraphBusNode, subscribe
import hashlib


class DedupeNode(GraphBusNode):
    @staticmethod
    def _key(text):
        h = hashlib.blake2b(digest_size=8, person=b"docs-v1")
        h.update(text.strip().casefold().encode())
        return h.hexdigest()

    @subscribe("/In")
    def on_documents(self, event):
        seen, kept = set(), []
        for text in event["docs"]:
            key = self._key(text)
            if key not in seen:
                seen.add(key)
                kept.append(key)
        return {"kept": kept, "total": len(kept)}
