# pure
"""Keeps a template that is copied to the bottom before anything is filled in."""
import copy
import xml.etree.ElementTree as ET

from graphbus_core import GraphBusNode, subscribe

TEMPLATE = ET.fromstring(
    '<svg height="20"><title/><g class="back"><rect height="20" fill="#555"/><rect height="20"/></g>'
    '<g class="words"/></svg>'
)
COLOURS = {"passing": "#4c1", "failing": "#e05d44", "unknown": "#9f9f9f"}
NARROW = set("iljtfr.,:;|!' ")


def width_of(text: str) -> int:
    return 10 + sum(4 if char in NARROW else 7 for char in text)


def fill(label: str, status: str) -> ET.Element:
    svg = copy.deepcopy(TEMPLATE)
    title, back, words = svg
    title.text = f"{label}: {status}"
    left, right = back
    left.set("width", str(width_of(label)))
    right.set("x", left.get("width", "0"))
    right.set("width", str(width_of(status)))
    right.set("fill", COLOURS.get(status, "#007ec6"))
    offset = 5
    for text in (label, status):
        word = ET.SubElement(words, "text", {"x": str(offset), "y": "14"})
        word.text = text
        offset += width_of(text)
    svg.attrib["width"] = str(width_of(label) + width_of(status))
    return svg


class BadgeSvg(GraphBusNode):
    """Draws the badge of a build."""

    @subscribe("/Badge/Ask")
    def on_ask(self, label: str, status: str) -> str:
        return ET.tostring(fill(label.strip() or "build", status.lower()), encoding="unicode")
