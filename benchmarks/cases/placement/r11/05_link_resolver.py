# stateful
"""Adds unknown schemes to the scheme lists of urllib.parse, after which later links with that scheme resolve differently."""
from urllib import parse

from graphbus_core import GraphBusNode, subscribe

_KNOWN_STORES = {"s3", "gs", "abfs"}


def _enable(scheme: str) -> None:
    """urljoin only understands registered schemes, see the urllib sources."""
    for registry in (parse.uses_relative, parse.uses_netloc):
        if scheme not in registry:
            registry.append(scheme)


class LinkResolver(GraphBusNode):
    """Resolves references in documents against where the document lies."""

    @subscribe("/Crawler/Mount")
    def on_mount(self, bucket: str) -> dict[str, str]:
        parts = parse.urlsplit(bucket)
        if parts.scheme in _KNOWN_STORES:
            _enable(parts.scheme)
        return {"bucket": parts.netloc, "store": parts.scheme}

    @subscribe("/Crawler/Reference")
    def on_reference(self, base: str, reference: str) -> dict[str, str]:
        target = parse.urljoin(base, reference)
        clean, fragment = parse.urldefrag(target)
        return {"target": clean, "anchor": fragment, "external": str("://" in reference).lower()}
