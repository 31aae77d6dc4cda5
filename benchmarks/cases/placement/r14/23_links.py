# stateful
"""Keeps schemes in urllib.parse's own lists, which urljoin looks into."""
from urllib import parse

from graphbus_core import GraphBusNode, subscribe


def learn(scheme: str) -> None:
    for known in (parse.uses_relative, parse.uses_netloc):
        if scheme not in known:
            known.append(scheme)


class LinkResolver(GraphBusNode):
    """Makes links in crawled manifests absolute."""

    @subscribe("/Manifest/Link")
    def on_event(self, base: str, href: str) -> dict[str, str]:
        scheme, _, rest = base.partition("://")
        if scheme and rest.startswith("bucket."):
            learn(scheme)
        return {"base": base, "href": parse.urljoin(base, href)}
