# stateful
"""Keeps prefixes: register_namespace writes into ElementTree's table for the whole process."""
from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

BASE = "urn:library:catalogue"
SAFE = re.compile(r"[a-z]{2,8}\Z")


@dataclass(frozen=True)
class Title:
    isbn: str
    name: str
    partner: str

    @property
    def valid(self) -> bool:
        digits = [int(c) for c in self.isbn if c.isdigit()]
        return len(digits) == 13 and sum(d * (3 if i % 2 else 1) for i, d in enumerate(digits)) % 10 == 0

    def element(self) -> ET.Element:
        namespace = f"{BASE}:{self.partner}"
        root = ET.Element(f"{{{namespace}}}title", {"isbn": self.isbn})
        ET.SubElement(root, f"{{{namespace}}}name").text = self.name
        if not self.valid:
            ET.SubElement(root, f"{{{namespace}}}warning").text = "check digit"
        return root


def serialise(title: Title, prefix: str) -> str:
    if SAFE.match(prefix):
        ET.register_namespace(prefix, f"{BASE}:{title.partner}")
    return ET.tostring(title.element(), encoding="unicode")


class CatalogueFeed(GraphBusNode):
    """Writes one feed entry; partners may ask for a prefix of their own."""

    @subscribe("/Titles")
    def on_title(self, isbn: str, name: str, partner: str, prefix: str = "") -> dict[str, str]:
        title = Title(isbn.replace("-", ""), " ".join(name.split()), partner.strip().lower() or "main")
        return {"partner": title.partner, "xml": serialise(title, prefix)}
