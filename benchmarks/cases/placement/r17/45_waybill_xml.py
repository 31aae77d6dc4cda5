# pure
"""Keeps nothing: the namespace is registered once at import, and each waybill is a tree of its own."""
from __future__ import annotations

import base64
import re
import unicodedata
import xml.etree.ElementTree as ET
from typing import Any
from xml.sax.saxutils import quoteattr

from graphbus_core import GraphBusNode, subscribe

NS = "urn:freight:waybill:2"
ET.register_namespace("wb", NS)
REFERENCE = re.compile(r"(?P<carrier>[A-Z]{3})-(?P<number>\d{3,8})")


class Builder(ET.TreeBuilder):
    """Remembers the depth while one tree is built."""

    depth = 0

    def start(self, tag: str, attrs: dict[str, str] | None = None) -> ET.Element:
        self.depth += 1
        return super().start(f"{{{NS}}}{tag}", attrs or {})

    def end(self, tag: str) -> ET.Element:
        self.depth -= 1
        return super().end(f"{{{NS}}}{tag}")

    def leaf(self, tag: str, text: str, **attrs: str) -> None:
        self.start(tag, attrs)
        self.data(text)
        self.end(tag)


def plain(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


class Waybills(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.last_error: str | None = None

    @subscribe("/Consignments")
    def on_consignment(self, reference: str, consignee: str, parcels: list[dict[str, Any]]) -> dict[str, object]:
        self.last_error = None
        match = REFERENCE.fullmatch(reference.strip())
        if match is None:
            self.last_error = f"reference {quoteattr(reference)}"
            return {"error": self.last_error}
        builder = Builder()
        builder.start("waybill", dict(match.groupdict()))
        builder.leaf("consignee", plain(consignee))
        total = 0.0
        for number, parcel in enumerate(parcels, start=1):
            kilos = float(parcel.get("kg", 0))
            total += kilos
            builder.leaf("parcel", str(parcel.get("what", "goods")), n=str(number), kg=f"{kilos:.1f}")
        while builder.depth:
            builder.end("waybill")
        root = builder.close()
        ET.indent(root, "  ")
        text = ET.tostring(root, encoding="unicode", short_empty_elements=True)
        seal = base64.b32encode(len(text).to_bytes(3, "big")).decode().rstrip("=")
        return {"xml": text, "kg": round(total, 1), "seal": seal, "error": self.last_error}
