"""FetcherService: reads a news feed (RSS 2.0 or Atom) from a file or a URL."""

from __future__ import annotations

import urllib.request
from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat

from graphbus_core import GraphBusNode, schema_method

from .shapes import Headline

LIMIT_BYTES = 5_000_000
TIMEOUT_S = 15
ATOM = "{http://www.w3.org/2005/Atom}"


class FetcherService(GraphBusNode):
    SYSTEM_PROMPT = """
    I read news feeds and hand on what is in them, in the order of the feed.

    During build cycles, I care about:
    - Completeness: whatever the feed says about a headline, I pass on
    - Honesty: I never invent a title, a link or a date

    I will accept proposals that add optional fields to my output.
    I will reject proposals that make me drop or rename what others read.
    """

    @schema_method(
        input_schema={"source": str},  # a path or an http(s) URL
        output_schema={
            "feed_title": str,
            "headlines": list[Headline],
        },
    )
    def fetch_headlines(self, source: str):
        root = _parse(_read(source))
        if root.tag == "rss":
            channel = root.find("channel")
            if channel is None:
                raise ValueError(f"{source}: an RSS feed without a channel")
            return {"feed_title": _text(channel, "title"), "headlines": [_rss_item(i) for i in channel.iter("item")]}
        if root.tag == f"{ATOM}feed":
            return {
                "feed_title": _text(root, f"{ATOM}title"),
                "headlines": [_atom_entry(e) for e in root.iter(f"{ATOM}entry")],
            }
        raise ValueError(f"{source}: neither RSS 2.0 nor Atom (its root is <{root.tag}>)")


def _rss_item(item: ElementTree.Element) -> Headline:
    return {
        "title": _text(item, "title"),
        "link": _text(item, "link"),
        "summary": _text(item, "description"),
        "published": _text(item, "pubDate"),
    }


def _atom_entry(entry: ElementTree.Element) -> Headline:
    links = entry.findall(f"{ATOM}link")
    # The page itself is the link without rel, or with rel="alternate".
    page = next((link for link in links if link.get("rel", "alternate") == "alternate"), None)
    return {
        "title": _text(entry, f"{ATOM}title"),
        "link": page.get("href", "") if page is not None else "",
        "summary": _text(entry, f"{ATOM}summary") or _text(entry, f"{ATOM}content"),
        "published": _text(entry, f"{ATOM}published") or _text(entry, f"{ATOM}updated"),
    }


def _text(parent: ElementTree.Element, tag: str) -> str:
    found = parent.find(tag)
    return "".join(found.itertext()).strip() if found is not None else ""


def _read(source: str) -> bytes:
    if source.startswith(("http://", "https://")):
        with urllib.request.urlopen(source, timeout=TIMEOUT_S) as response:
            content = response.read(LIMIT_BYTES + 1)
    else:
        with Path(source).open("rb") as f:
            content = f.read(LIMIT_BYTES + 1)
    if len(content) > LIMIT_BYTES:
        raise ValueError(f"{source} is larger than {LIMIT_BYTES:,} bytes")
    return content


def _parse(content: bytes) -> ElementTree.Element:
    """Parse with the standard library, and refuse a feed that declares entities: no "billion laughs" here."""
    tree = ElementTree.TreeBuilder()
    parser = expat.ParserCreate(namespace_separator="}")

    def name(tag: str) -> str:
        return "{" + tag if "}" in tag else tag

    def refuse(*declaration: object) -> None:
        raise ValueError(f"the feed declares the entity {declaration[0]!r}; feeds with entities are not read")

    parser.StartElementHandler = lambda tag, attributes: tree.start(name(tag), attributes)
    parser.EndElementHandler = lambda tag: tree.end(name(tag))
    parser.CharacterDataHandler = tree.data
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except expat.ExpatError as e:
        raise ValueError(f"the feed is not well-formed XML: {e}") from e
    return tree.close()
